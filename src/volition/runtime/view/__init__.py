"""A run to look at: its records as one page, or a page that follows a record while it is written."""

from volition.runtime.view.live import LiveView
from volition.runtime.view.page import page_of

__all__ = ["LiveView", "page_of"]
