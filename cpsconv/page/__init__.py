"""An HTML page about a conversion: source, control flow, CPS text and φ form side by side, with a slider of steps."""

from cpsconv.page.data import Conversion, page_data
from cpsconv.page.document import write_page

__all__ = ["Conversion", "page_data", "write_page"]
