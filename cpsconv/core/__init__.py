"""The method, for any language: programs, construction, analyses, passes, the CPS language, checks and JSON."""
