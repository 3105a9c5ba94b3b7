"""An HTML page about a conversion: source, control flow, CPS text and φ form side by side, with a slider of steps."""

from cpsconv.lab.page.data import Conversion
from cpsconv.lab.page.document import write_page

__all__ = ["Conversion", "write_page"]
