// A list to pick from, in which typing filters and Enter picks. Pure.
import type { KeyPress } from '../input/key-press.ts'
import { editLine } from './line-edit.ts'

export interface PickerItem<T> {
  value: T
  label: string
  about: string
  /** The reason why the item cannot be picked. */
  unusable?: string
}

export interface PickerState<T> {
  readonly title: string
  readonly items: readonly PickerItem<T>[]
  readonly query: string
  /** Index within the items that match the query. */
  readonly at: number
  readonly note: string
  /** The text that replaces an empty list. */
  readonly none: string
}

export interface PickerWishes<T> {
  /** The active item. The selection starts at it without a filter. */
  current?: T
  /** The filter to start with. Default: none. */
  query?: string
  /** The text without matches. Default: `no matches`. */
  none?: string
}

type PickerEffect<T> = { kind: 'picked'; value: T } | { kind: 'closed' }

export function openPicker<T>(
  title: string,
  items: readonly PickerItem<T>[],
  { current, query = '', none = 'no matches' }: PickerWishes<T> = {},
): PickerState<T> {
  const at = query === '' ? items.findIndex(({ value }) => value === current) : 0
  return { title, items, query, at: Math.max(0, at), note: '', none }
}

/**
 * Returns the items that contain every word of the query. Labels that start with it come first, then labels
 * that contain it.
 */
export function shownItems<T>({ items, query }: Pick<PickerState<T>, 'items' | 'query'>): PickerItem<T>[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return [...items]
  const rank = ({ label, about }: PickerItem<T>) => {
    const name = label.toLowerCase()
    const all = `${name} ${about.toLowerCase()}`
    if (!words.every((word) => all.includes(word))) return undefined
    return name.startsWith(words[0] as string) ? 0 : words.every((word) => name.includes(word)) ? 1 : 2
  }
  const ranked = items.flatMap((item) => {
    const place = rank(item)
    return place === undefined ? [] : [{ item, place }]
  })
  return ranked.sort((a, b) => a.place - b.place).map(({ item }) => item)
}

const page = 10

export function pressPickerKey<T>(
  state: PickerState<T>,
  press: KeyPress,
): { state: PickerState<T>; effect?: PickerEffect<T> } {
  const shown = shownItems(state)
  const moved = moveBy(press.key, shown.length)
  if (moved !== undefined) {
    const at = Math.max(0, Math.min(shown.length - 1, state.at + moved))
    return { state: { ...state, at, note: '' } }
  }
  if (press.key === 'escape') return { state, effect: { kind: 'closed' } }
  if (press.key === 'enter' && !press.burst) {
    const item = shown[state.at]
    if (!item) return { state }
    if (item.unusable !== undefined) return { state: { ...state, note: item.unusable } }
    return { state, effect: { kind: 'picked', value: item.value } }
  }
  const query = editLine(state.query, press)
  return query === state.query ? { state } : { state: { ...state, query, at: 0, note: '' } }
}

function moveBy(key: string, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    pageup: -page,
    pagedown: page,
    home: -count,
    end: count,
    'ctrl-p': -1,
    'ctrl-n': 1,
  }
  return steps[key]
}
