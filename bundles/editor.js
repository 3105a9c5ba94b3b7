// The bundle `editor`: what a page needs of CodeMirror 6 to edit a source text.
export { completeAnyWord, completeFromList, ifNotIn } from "@codemirror/autocomplete";
export { cppLanguage } from "@codemirror/lang-cpp";
export { StreamLanguage, syntaxHighlighting } from "@codemirror/language";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { Compartment, EditorState } from "@codemirror/state";
export { Decoration, EditorView } from "@codemirror/view";
export { classHighlighter } from "@lezer/highlight";
export { basicSetup, minimalSetup } from "codemirror";
