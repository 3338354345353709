// The syntax tree as plain objects, because reading every detail of every node from the parser's memory costs
// more than parsing.
import type { Tree, TreeCursor } from 'web-tree-sitter'

/** A node of the tree. Indexes point into `source`. */
export class SyntaxNode {
  readonly children: SyntaxNode[] = []
  readonly namedChildren: SyntaxNode[] = []

  readonly id: number
  readonly type: string
  readonly field: string | null
  readonly startIndex: number
  readonly endIndex: number
  readonly parent: SyntaxNode | undefined
  readonly source: string

  constructor(
    at: Pick<SyntaxNode, 'id' | 'type' | 'field' | 'startIndex' | 'endIndex' | 'parent' | 'source'>,
  ) {
    this.id = at.id
    this.type = at.type
    this.field = at.field
    this.startIndex = at.startIndex
    this.endIndex = at.endIndex
    this.parent = at.parent
    this.source = at.source
  }

  get text(): string {
    return this.source.slice(this.startIndex, this.endIndex)
  }

  get childCount(): number {
    return this.children.length
  }

  get lastNamedChild(): SyntaxNode | undefined {
    return this.namedChildren.at(-1)
  }

  childForFieldName(name: string): SyntaxNode | undefined {
    return this.children.find((child) => child.field === name)
  }

  childrenForFieldName(name: string): SyntaxNode[] {
    return this.children.filter((child) => child.field === name)
  }
}

export interface SyntaxTree {
  root: SyntaxNode
  /** True if a part of the text did not match the grammar. */
  hasError: boolean
}

/** Copies a tree, which its owner may then delete. Undefined for a tree of more than `maxNodes` nodes. */
export function copyTree(tree: Tree, source: string, maxNodes: number): SyntaxTree | undefined {
  const cursor = tree.walk()
  try {
    return { root: copyNodes(cursor, source, maxNodes), hasError: tree.rootNode.hasError }
  } catch (error) {
    if (error === tooMany) return undefined
    throw error
  } finally {
    cursor.delete()
  }
}

const tooMany = new Error('too many nodes')

function copyNodes(cursor: TreeCursor, source: string, maxNodes: number): SyntaxNode {
  let count = 0
  const copy = (parent: SyntaxNode | undefined) => {
    if (count >= maxNodes) throw tooMany
    const { nodeType: type, currentFieldName: field, startIndex, endIndex } = cursor
    const node = new SyntaxNode({ id: count++, type, field, startIndex, endIndex, parent, source })
    parent?.children.push(node)
    if (cursor.nodeIsNamed) parent?.namedChildren.push(node)
    return node
  }
  const root = copy(undefined)
  for (let at: SyntaxNode | undefined = root; at; ) {
    if (cursor.gotoFirstChild()) {
      at = copy(at)
      continue
    }
    while (at && !cursor.gotoNextSibling()) {
      at = at.parent
      if (!at || !cursor.gotoParent()) return root
    }
    if (at) at = copy(at.parent)
  }
  return root
}
