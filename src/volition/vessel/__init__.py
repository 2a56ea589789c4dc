"""The mine-hunting vessel of Izzo's thesis in a simulated sea (Sect. 6.5, App. A.1), see docs/vessel.md; needs ``volition[vessel]``."""
