import type { Root } from 'mdast'

/**
 * A formula between `$$` that is a paragraph by itself is shown on its own line, as the public hub does;
 * the Markdown extension does so only where the `$$` stand on lines of their own.
 */
export function remarkDisplayMath() {
  return (tree: Root, file: { value: unknown }) => {
    const source = String(file.value)
    for (const node of tree.children) {
      const only = node.type === 'paragraph' && node.children.length === 1 ? node.children[0] : undefined
      const start = only?.position?.start.offset
      if (only?.type === 'inlineMath' && start !== undefined && source.startsWith('$$', start))
        only.data = { ...only.data, hProperties: { className: ['language-math', 'math-display'] } }
    }
  }
}
