// Linked parts of Office files: relations by id, and elements one after the other.
import { posix } from 'node:path'
import { parseMarkup, type TagAttributes } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'

interface PartRelation {
  /** Last word of the relation's type: `worksheet`, `slide`, `notesSlide`. */
  type: string
  /** Name of the linked part. */
  target: string
}

/**
 * Returns the relations of a part by id, without those whose target is outside of the file.
 * Empty without relations.
 */
export async function readRelations(
  zip: ZipArchive,
  part: string,
  budget: ReadingBudget,
): Promise<Map<string, PartRelation>> {
  const relations = new Map<string, PartRelation>()
  const folder = posix.dirname(part)
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  await eachOpenTag(zip, name, budget, (tag, { Id, Type = '', Target = '', TargetMode }) => {
    if (tag !== 'Relationship' || Id === undefined || TargetMode === 'External') return
    const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
    relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target })
  })
  return relations
}

/**
 * Calls a function for every element of a part, by its name without a prefix; a missing part has no elements.
 */
export async function eachOpenTag(
  zip: ZipArchive,
  part: string,
  budget: ReadingBudget,
  open: (name: string, attributes: TagAttributes) => void,
): Promise<void> {
  const stream = await zip.stream(part)
  if (!stream) return
  const none = () => undefined
  const handler = {
    open: (name: string, attributes: TagAttributes) => open(localName(name), attributes),
    text: none,
    close: none,
  }
  await parseMarkup(stream, 'xml', handler, budget)
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Returns the id of a relation under any namespace prefix; empty without one. */
export const relationId = (attributes: TagAttributes): string =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
