"""A run to look at: its records as one page, or a page that follows a record while it is
written."""

from volition.runtime.view.live import LiveView, events_of
from volition.runtime.view.page import Scheme, render_page

__all__ = ["LiveView", "Scheme", "events_of", "render_page"]
