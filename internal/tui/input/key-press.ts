// One key as a name such as `a`, `ctrl-p` or `shift-enter`, with a single spelling per key.

/** A pressed key, or a text that arrived in one piece. */
export interface KeyPress {
  /**
   * The name of the key as `normalizeKey` returns it; empty for an unknown key or a text
   * of several characters.
   */
  key: string
  /** The text that the key types, which may be empty. */
  text: string
  /** True if the key arrived together with others, as in a paste or when the user typed ahead. */
  burst?: boolean
}

const modifiers = ['ctrl', 'alt', 'shift'] as const

const otherNames: Readonly<Record<string, string>> = {
  esc: 'escape',
  return: 'enter',
  pgup: 'pageup',
  page_up: 'pageup',
  pgdn: 'pagedown',
  pagedn: 'pagedown',
  page_down: 'pagedown',
  del: 'delete',
  ' ': 'space',
  control: 'ctrl',
  meta: 'alt',
  option: 'alt',
}

const named = new Set(
  (
    'enter escape tab space backspace delete insert up down left right home end pageup pagedown ' +
    'f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12'
  ).split(' '),
)

/**
 * Returns one name for all spellings of a key such as `Ctrl+P`, `ctrl-p` and `C-p`, with modifiers in
 * a fixed order. Returns undefined for an unknown key. Uppercase differs from lowercase only for a
 * letter without modifiers.
 */
export function normalizeKey(name: string): string | undefined {
  const parts = name.length === 1 ? [name] : (/^(.*?)[+-]?$/s.exec(name)?.[1] ?? '').split(/[+-]/)
  const last = name.length > 1 && /[+-][+-]$/.test(name) ? name.slice(-1) : parts.pop()
  const heldModifiers = new Set(
    parts.filter((part) => part !== '').map((part) => aliasOf(part.toLowerCase(), true)),
  )
  if (last === undefined || last === '') return undefined
  if ([...heldModifiers].some((one) => !(modifiers as readonly string[]).includes(one))) return undefined
  const isChar = [...last].length === 1 && last !== ' '
  const lower = aliasOf(last.toLowerCase(), false)
  if (!isChar && !named.has(lower)) return undefined
  // Together with a modifier, an uppercase letter is the same key as the lowercase one.
  const key = isChar && heldModifiers.size === 0 ? last : isChar ? last.toLowerCase() : lower
  const fullKey = [...modifiers.filter((one) => heldModifiers.has(one)), key].join('-')
  return sameKeys[fullKey] ?? fullKey
}

/**
 * Names of keys for which terminals send one and the same byte, although some terminals report the pressed
 * key. The values are the common name.
 */
const sameKeys: Readonly<Record<string, string>> = {
  'ctrl--': 'ctrl-_',
  'ctrl-/': 'ctrl-_',
  'ctrl-shift-_': 'ctrl-_',
  'ctrl-shift--': 'ctrl-_',
  'ctrl-@': 'ctrl-space',
}

const aliasOf = (name: string, isModifier: boolean) =>
  otherNames[name] ?? (isModifier ? ({ c: 'ctrl', m: 'alt', a: 'alt', s: 'shift' }[name] ?? name) : name)

/** Returns the name of a key in the form for users: `Ctrl-P`, `Shift-Enter`, `PgUp`. */
export function showKey(key: string): string {
  const names: Readonly<Record<string, string>> = { pageup: 'PgUp', pagedown: 'PgDn', escape: 'Esc' }
  if (key.length === 1) return key
  return key
    .split(/-(?=.)/)
    .map((part) => names[part] ?? part.charAt(0).toUpperCase() + part.slice(1))
    .join('-')
}
