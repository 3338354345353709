// A list from which the user picks an item: typing filters the list and Enter picks. The functions are pure.
import type { KeyPress } from '../input/key-press.ts'
import { editLine } from './line-edit.ts'

export interface PickerItem<T> {
  value: T
  label: string
  about: string
  /** The reason why the user cannot pick the item. */
  unusable?: string
}

export interface PickerState<T> {
  readonly title: string
  readonly items: readonly PickerItem<T>[]
  readonly query: string
  /** Index of the selected item among those that match the query. */
  readonly at: number
  readonly note: string
  /** The text that is shown if the list is empty. */
  readonly none: string
}

export interface PickerWishes<T> {
  /** The item that is in use now. Without a filter, the selection starts at this item. */
  current?: T
  /** The filter text at the start. Default: none. */
  query?: string
  /** The text that is shown without matches. Default: `no matches`. */
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
 * Returns the items whose label and description together contain every word of the query, ignoring case.
 * Labels that start with the first word come first, then labels that contain all words, then the other items.
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
  const visibleItems = shownItems(state)
  const moved = moveBy(press.key, visibleItems.length)
  if (moved !== undefined) {
    const at = Math.max(0, Math.min(visibleItems.length - 1, state.at + moved))
    return { state: { ...state, at, note: '' } }
  }
  if (press.key === 'escape') return { state, effect: { kind: 'closed' } }
  if (press.key === 'enter' && !press.burst) {
    const item = visibleItems[state.at]
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
