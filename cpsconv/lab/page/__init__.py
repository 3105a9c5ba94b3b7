"""An HTML page about a conversion: source, control flow, CPS text and φ form side by side, with a slider of steps."""

from cpsconv.lab.page.data import Conversion, page_data
from cpsconv.lab.page.document import write_page

__all__ = ["Conversion", "page_data", "write_page"]
