// Numbers of lists and clauses in a Word file, counted from `numbering.xml` and the styles as Word does.
import type { MarkupHandler } from '../markup-events.ts'
import { parseMarkup } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { formatListNumber } from './list-number.ts'

interface ListLevel {
  start: number
  format: string
  /** Pattern such as `%1.%2`, where each figure represents the number of a level. */
  text: string
  isLegal: boolean
  /**
   * Number (from 1) of a level; its paragraphs and those of the levels above it restart this level. Default:
   * every level above; 0: no restart.
   */
  restart?: number
  /** Paragraph style of this level. */
  style?: string
}

interface ListDefinition {
  levels: Map<number, ListLevel>
  /** List style that defines the levels, if this definition has no levels. */
  link?: string
  styleLink?: string
}

interface ListInstance {
  abstract: string
  starts: Map<number, number>
  levels: Map<number, ListLevel>
}

/** A list and a level in it, as referenced by a paragraph or a style. */
export interface ListItemPlace {
  list?: string
  level?: number
}

/**
 * Counts the next paragraph and returns its number or bullet, or an empty string if it is not in a list or
 * its level is not defined. `own` overrides the list and level of `style`.
 */
export type NextListNumber = (own: ListItemPlace, style: string | undefined) => string

interface ListStyle extends ListItemPlace {
  basedOn?: string
}

const maxLevels = 9

export async function readListNumbers(zip: ZipArchive, budget: ReadingBudget): Promise<NextListNumber> {
  const lists = new ListReader()
  const numbering = await zip.stream('word/numbering.xml')
  if (!numbering) return () => ''
  await parseMarkup(numbering, 'xml', lists, budget)
  const styles = await readListStyles(zip, budget)
  const counted = new Map<string, (number | undefined)[]>()
  const startedLevels = new Set<string>()
  return (ownPlace, style) => {
    const inherited = placeOfStyle(style, styles)
    const id = ownPlace.list ?? inherited.list
    const instance = id === undefined || id === '0' ? undefined : lists.instances.get(id)
    if (id === undefined || !instance) return ''
    const definition = lists.definitionOf(instance, styles)
    const levels = new Map([...(definition?.levels ?? []), ...instance.levels])
    const styled = [...levels].find(([, level]) => style !== undefined && level.style === style)?.[0]
    const at = ownPlace.level ?? styled ?? inherited.level ?? 0
    const level = levels.get(at)
    if (!level || at >= maxLevels) return ''
    const counts = counted.get(instance.abstract) ?? []
    counted.set(instance.abstract, counts)
    if (!startedLevels.has(`${id} ${at}`)) {
      startedLevels.add(`${id} ${at}`)
      const start = instance.starts.get(at)
      if (start !== undefined) counts[at] = start - 1
    }
    countParagraph(counts, at, levels)
    return showNumber(level, counts, levels)
  }
}

function countParagraph(
  counts: (number | undefined)[],
  at: number,
  levels: ReadonlyMap<number, ListLevel>,
): void {
  for (let below = at + 1; below < maxLevels; below++) {
    const restart = levels.get(below)?.restart
    if (restart === undefined || (restart !== 0 && at < restart)) counts[below] = undefined
  }
  for (let outer = 0; outer < at; outer++) counts[outer] ??= levels.get(outer)?.start ?? 1
  counts[at] = (counts[at] ?? (levels.get(at)?.start ?? 1) - 1) + 1
}

function showNumber(
  level: ListLevel,
  counts: readonly (number | undefined)[],
  levels: ReadonlyMap<number, ListLevel>,
): string {
  if (level.format === 'bullet') return '•'
  if (level.format === 'none' && !level.text.includes('%')) return level.text
  return level.text.replace(/%([1-9])/g, (_, figure: string) => {
    const at = Number(figure) - 1
    const format = level.isLegal ? 'decimal' : (levels.get(at)?.format ?? 'decimal')
    return formatListNumber(counts[at] ?? levels.get(at)?.start ?? 1, format)
  })
}

function placeOfStyle(style: string | undefined, styles: ReadonlyMap<string, ListStyle>): ListItemPlace {
  const place: ListItemPlace = {}
  const visitedStyles = new Set<string>()
  for (let id = style; id !== undefined && !visitedStyles.has(id); id = styles.get(id)?.basedOn) {
    visitedStyles.add(id)
    const { list, level } = styles.get(id) ?? {}
    if (list !== undefined) place.list ??= list
    if (level !== undefined) place.level ??= level
  }
  return place
}

class ListReader implements MarkupHandler {
  readonly instances = new Map<string, ListInstance>()
  readonly #definitions = new Map<string, ListDefinition>()
  #definition: ListDefinition | undefined
  #instance: ListInstance | undefined
  #override = 0
  #level: ListLevel | undefined

  definitionOf(
    { abstract }: ListInstance,
    styles: ReadonlyMap<string, ListStyle>,
  ): ListDefinition | undefined {
    const definition = this.#definitions.get(abstract)
    if (definition?.link === undefined || definition.levels.size > 0) return definition
    const linked = [...this.#definitions.values()].find(({ styleLink }) => styleLink === definition.link)
    const instance = this.instances.get(styles.get(definition.link)?.list ?? '')
    return linked ?? (instance && this.#definitions.get(instance.abstract)) ?? definition
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const value = attributes['w:val'] ?? ''
    const isOn = !/^(?:0|false|off)$/.test(value)
    if (name === 'w:abstractNum') {
      this.#definition = { levels: new Map() }
      this.#definitions.set(attributes['w:abstractNumId'] ?? '', this.#definition)
    } else if (name === 'w:num') {
      this.#instance = { abstract: '', starts: new Map(), levels: new Map() }
      this.instances.set(attributes['w:numId'] ?? '', this.#instance)
    } else if (name === 'w:abstractNumId' && this.#instance) this.#instance.abstract = value
    else if (name === 'w:numStyleLink' && this.#definition) this.#definition.link = value
    else if (name === 'w:styleLink' && this.#definition) this.#definition.styleLink = value
    else if (name === 'w:lvlOverride') this.#override = Number(attributes['w:ilvl'] ?? 0)
    else if (name === 'w:startOverride') this.#instance?.starts.set(this.#override, Number(value))
    else if (name === 'w:lvl') {
      this.#level = { start: 1, format: 'decimal', text: '', isLegal: false }
      const levels = (this.#instance ?? this.#definition)?.levels
      levels?.set(Number(attributes['w:ilvl'] ?? 0), this.#level)
    } else if (this.#level) setLevelValue(this.#level, name, value, isOn)
  }

  text(): void {
    // everything is in attributes
  }

  close(name: string): void {
    if (name === 'w:lvl') this.#level = undefined
    if (name === 'w:abstractNum') this.#definition = undefined
    if (name === 'w:num') this.#instance = undefined
  }
}

function setLevelValue(level: ListLevel, name: string, value: string, isOn: boolean): void {
  if (name === 'w:start') level.start = Number(value)
  else if (name === 'w:numFmt') level.format = value
  else if (name === 'w:lvlText') level.text = value
  else if (name === 'w:isLgl') level.isLegal = isOn
  else if (name === 'w:lvlRestart') level.restart = Number(value)
  else if (name === 'w:pStyle') level.style = value
}

async function readListStyles(zip: ZipArchive, budget: ReadingBudget): Promise<Map<string, ListStyle>> {
  const styles = new Map<string, ListStyle>()
  const stream = await zip.stream('word/styles.xml')
  if (!stream) return styles
  let style: ListStyle | undefined
  const handler: MarkupHandler = {
    open(name, attributes) {
      const value = attributes['w:val']
      if (name === 'w:style') {
        style = {}
        styles.set(attributes['w:styleId'] ?? '', style)
      } else if (!style || value === undefined) return
      else if (name === 'w:basedOn') style.basedOn = value
      else if (name === 'w:numId') style.list = value
      else if (name === 'w:ilvl') style.level = Number(value)
    },
    text: () => undefined,
    close(name) {
      if (name === 'w:style') style = undefined
    },
  }
  await parseMarkup(stream, 'xml', handler, budget)
  return styles
}
