"""Statistics of the conversion of many files: a row for each file, and for each function in it.

- `rows` converts one file, and makes its rows.
- `parts` keeps the rows of each file, and `corpus` converts many files, on one machine or many.
- `tables` writes rows as CSV, JSON Lines and Parquet.
- `summary` adds rows up, and `page` draws them.
"""
