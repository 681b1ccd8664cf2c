import type { FileHeader } from './queries.ts'

export type Tensor = FileHeader['header']['tensors'][number]

/** A group of tensors whose names begin alike, or one tensor. */
export interface TreeNode {
  /** What follows the name of the group above. */
  label: string
  /** The whole name, or the beginning that all of the group share. */
  name: string
  /** Of one tensor alone. */
  tensor?: Tensor
  children: TreeNode[]
  tensorCount: number
  elements: number
  bytes: number
}

/** A line of the shown tree. */
export interface TreeRow {
  node: TreeNode
  depth: number
  isOpen: boolean
}

interface Branch {
  branches: Map<string, Branch>
  tensors: Map<string, Tensor>
}

const elementsOf = ({ shape }: Tensor) => shape.reduce((product, dimension) => product * dimension, 1)

/**
 * Tensors as a tree by the dots of their names. A group with a single thing in it is one line with it:
 * `model.layers`, `lm_head.weight`. Numbers stand in their order.
 */
export function tensorTree(tensors: readonly Tensor[]): TreeNode[] {
  const root: Branch = { branches: new Map(), tensors: new Map() }
  for (const tensor of tensors) {
    const parts = tensor.name.split('.')
    const last = parts.pop() ?? ''
    let branch = root
    for (const part of parts) {
      let next = branch.branches.get(part)
      if (!next) branch.branches.set(part, (next = { branches: new Map(), tensors: new Map() }))
      branch = next
    }
    // Two shards of a damaged model may hold one name.
    branch.tensors.set(branch.tensors.has(last) ? `${last} (${tensor.file})` : last, tensor)
  }
  return nodesOf(root, '')
}

function nodesOf(branch: Branch, prefix: string): TreeNode[] {
  const groups = [...branch.branches].map(([label, below]) => groupOf(label, below, prefix))
  const leaves = [...branch.tensors].map(([label, tensor]): TreeNode => ({
    label,
    name: tensor.name,
    tensor,
    children: [],
    tensorCount: 1,
    elements: elementsOf(tensor),
    bytes: tensor.size ?? 0,
  }))
  return [...groups, ...leaves].sort((a, b) => naturally.compare(a.label, b.label))
}

const naturally = new Intl.Collator('en', { numeric: true })

function groupOf(label: string, branch: Branch, prefix: string): TreeNode {
  const name = `${prefix}${label}`
  const children = nodesOf(branch, `${name}.`)
  const [only] = children
  // A number is a line of its own, so that the layers of a model stand one below the other.
  if (children.length === 1 && only && !/^\d+$/.test(label))
    return { ...only, label: `${label}.${only.label}` }
  const sum = (of: (node: TreeNode) => number) => children.reduce((total, node) => total + of(node), 0)
  return {
    label,
    name,
    children,
    tensorCount: sum((node) => node.tensorCount),
    elements: sum((node) => node.elements),
    bytes: sum((node) => node.bytes),
  }
}

/** The lines that are in sight: what `isOpen` says is open shows what is in it. */
export function rowsOf(
  nodes: readonly TreeNode[],
  isOpen: (node: TreeNode) => boolean,
  depth = 0,
): TreeRow[] {
  const rows: TreeRow[] = []
  for (const node of nodes) {
    const open = !node.tensor && isOpen(node)
    rows.push({ node, depth, isOpen: open })
    if (open) for (const row of rowsOf(node.children, isOpen, depth + 1)) rows.push(row)
  }
  return rows
}

/** Tensors whose name, dtype or shape has all words of a search. */
export function matching(tensors: readonly Tensor[], search: string): readonly Tensor[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return tensors
  return tensors.filter(({ name, dtype, shape }) => {
    const text = `${name} ${dtype} ${shapeText(shape)}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** `4096 × 11008`; a scalar has no dimension. */
export const shapeText = (shape: readonly number[]): string =>
  shape.length === 0 ? 'scalar' : shape.join(' × ')
