"""A run to look at: its records as one page, or a page that follows a record while it is written."""

from volition.runtime.view.live import LiveView, events_of
from volition.runtime.view.page import Scheme, page_of

__all__ = ["LiveView", "Scheme", "events_of", "page_of"]
