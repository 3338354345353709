// References from the text of an Office file to pictures and files in it, which are not read.
import type { AddGap, GapKind } from '../gap-list.ts'
import type { TagAttributes } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { localName, readRelations } from './office-parts.ts'

/**
 * Kinds of gaps by the last word of the type of a relation. `hdphoto` and `media` are excluded, because they
 * are second copies.
 */
const kindByRelation: Readonly<Record<string, GapKind>> = {
  image: 'picture',
  oleObject: 'embedded',
  package: 'embedded',
  aFChunk: 'embedded',
  video: 'media',
  audio: 'media',
  control: 'control',
  customXml: 'ink',
  model3d: 'ink',
}

/** Receives the start of each element of a part. */
export type SeeReferences = (name: string, attributes: TagAttributes) => void

export interface UnreadParts {
  /**
   * Returns a function that gets each element of one part. It calls `add` with the kind of each reference to
   * a picture or file that is not read.
   */
  within(part: string, add: (kind: GapKind) => void): Promise<SeeReferences>
  /**
   * Calls `add` for the pictures and embedded files that no read part refers to. In a file with charts,
   * embedded Excel workbooks are excluded, because they contain only the numbers of the charts.
   */
  addRest(add: AddGap): void
}

export function createUnreadParts(zip: ZipArchive, budget: ReadingBudget): UnreadParts {
  const linkedParts = new Set<string>()
  return {
    async within(part, add) {
      const relations = await readRelations(zip, part, budget)
      return (raw, attributes) => {
        const name = localName(raw)
        // `svgBlip` is a second form of a picture that already counts
        if (name === 'svgBlip') return
        // a picture that is not in the file has a reference without a target
        const kinds = new Set<GapKind>(name === 'blip' || name === 'imagedata' ? ['picture'] : [])
        for (const [key, id] of Object.entries(attributes)) {
          const relation = key.includes(':') && !key.startsWith('xmlns') ? relations.get(id) : undefined
          const kind = relation && kindByRelation[relation.type]
          if (kind) kinds.add(kind)
          if (relation) linkedParts.add(relation.target)
        }
        for (const kind of kinds) add(kind)
      }
    },
    addRest(add) {
      const names = [...zip.names()].filter((name) => !linkedParts.has(name))
      const hasCharts = names.some((name) => /\/charts\//.test(name))
      for (const name of names) {
        // the embedded workbook of a chart contains only the numbers that the chart shows
        if (hasCharts && /\/embeddings\/[^/]+\.xls[xb]$/i.test(name)) continue
        if (picture.test(name)) add('picture', 'outside of the text')
        if (/^(?:word|xl|ppt)\/embeddings\/[^/]+$/.test(name)) add('embedded', 'outside of the text')
      }
    },
  }
}

const picture = /^(?:word|xl|ppt)\/media\/[^/]+\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$/i
