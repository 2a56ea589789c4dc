"""View of runs in a browser: an HTML page that contains records, or a page that follows a record
during the run."""

from volition.runtime.view.live import LiveView, events_of
from volition.runtime.view.page import Scheme, render_page

__all__ = ["LiveView", "Scheme", "events_of", "render_page"]
