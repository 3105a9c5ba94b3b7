// The bundle `graph`: the layout of a directed graph in layers.
export { Graph, layout } from "@dagrejs/dagre";
