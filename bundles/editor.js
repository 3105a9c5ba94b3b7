// The bundle `editor`: what a page needs of CodeMirror 6 to edit a source text.
export { autocompletion, completeFromList } from "@codemirror/autocomplete";
export { indentWithTab } from "@codemirror/commands";
export { cppLanguage } from "@codemirror/lang-cpp";
export { StreamLanguage, syntaxTree } from "@codemirror/language";
export { linter, lintGutter, setDiagnostics } from "@codemirror/lint";
export { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, keymap } from "@codemirror/view";
export { basicSetup } from "codemirror";
