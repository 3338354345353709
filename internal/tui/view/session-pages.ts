// The pages with information about a session: keys, commands, usage, and the changes of the thread.

import { countNoun, groupDigits } from '../../base/text/count-noun.ts'
import type { Pen, RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { ChosenSettings, SessionUsage } from '../../session/snapshot.ts'
import type { FileDiff } from '../../tool/ask.ts'
import { textLook } from '../approval/argument-lines.ts'
import { type KeyMap, type SessionAction, sessionActions } from '../input/key-map.ts'
import { normalizeKey, showKey } from '../input/key-press.ts'
import { slashCommands } from '../input/slash-command.ts'
import { diffLines } from '../run-view/diff-lines.ts'
import { drawDim } from '../run-view/message.ts'
import { formatCost } from '../run-view/run-end.ts'
import { drawSideBySide, sideBySideCells } from '../run-view/side-by-side.ts'
import { breakLines } from '../terminal/rows.ts'
import { adaptEllipsis, indentLines, margin, narrowLook, penOfLook } from './look-pen.ts'

/** Returns lines with the active keys. `isFull` adds the fixed keys of the full screen. */
export function drawKeyHelp(keys: KeyMap, look: RenderLook, isFull = false): string[] {
  const rows = sessionKeys(keys).flatMap(([, keyText, about]): [string, string][] =>
    keyText === '' ? [] : [[keyText, about]],
  )
  return drawPairs('Keys', [...rows, ...editingRows(keys), ...(isFull ? fullKeys : [])], look)
}

/** Returns lines with the keys and the names of their actions, and with the way to change them. */
export function drawKeySettings(keys: KeyMap, look: RenderLook, isFull = false): string[] {
  const rows = sessionKeys(keys).map(([name, keyText, about]): [string, string] => [
    keyText === '' ? 'no key' : keyText,
    `${name}: ${about}`,
  ])
  const fixed = [...editingRows(keys), ...(isFull ? fullKeys : [])]
  const pen = penOfLook(narrowLook(look, margin))
  return [
    ...drawPairs('Keys and their actions', rows, look),
    '',
    ...drawPairs('Keys that stay', fixed, look),
    '',
    ...indentLines(keySettings.flatMap((text) => pen.wrap(text, pen.look.width))),
  ]
}

const keySettings = [
  'Set one or more keys for an action. The setting applies from the next start:',
  'anode config set ui.keys.editor f4',
  `anode config set ui.keys.editor '["f4", "ctrl-g"]'`,
]

/** Returns rows with the name of each action, its keys as users know them, and its description. */
const sessionKeys = (keys: KeyMap): [string, string, string][] =>
  (Object.entries(sessionActions) as [SessionAction, { about: string }][]).map(([name, { about }]) => [
    name,
    keys.keysOf(name).map(showKey).join(' '),
    about,
  ])

/** Returns rows with the keys of the editor, except those that the user gave to an action. */
function editingRows(keys: KeyMap): [string, string][] {
  const rows = editingKeys.map((row) =>
    row.filter(([key]) => keys.actionOf(normalizeKey(key) ?? key) === undefined),
  )
  return rows
    .filter((row) => row.length > 0)
    .map((row) => [row.map(([key]) => key).join(' '), row.map(([, about]) => about).join(', ')])
}

/** Keys of the editor with their effects, grouped in rows. */
const editingKeys: readonly (readonly (readonly [string, string])[])[] = [
  [['\\ Enter', 'new line as well']],
  [
    ['Ctrl-A', 'beginning'],
    ['Ctrl-E', 'end of the line'],
  ],
  [
    ['Alt-B', 'a word back'],
    ['Alt-F', 'a word forward'],
  ],
  [
    ['Ctrl-W', 'erase the word before'],
    ['Alt-D', 'erase the word after'],
  ],
  [
    ['Ctrl-U', 'erase to the beginning'],
    ['Ctrl-K', 'erase to the end of the line'],
  ],
  [
    ['Ctrl-Y', 'restore the text erased last'],
    ['Alt-Y', 'and the text erased before that'],
  ],
  [['Ctrl-_', 'undo in the text']],
]

const fullKeys: readonly [string, string][] = [
  ['PgUp PgDn, wheel', 'scroll'],
  ['Home End', 'with an empty editor: start, end'],
  ['Ctrl-Up Ctrl-Down', 'your previous message, your next one'],
]

export function drawCommandHelp(look: RenderLook): string[] {
  const rows = slashCommands.map(({ name, argument, about }): [string, string] => [
    `/${name} ${argument}`.trimEnd(),
    about,
  ])
  const signs: [string, string][] = [
    ['/SKILL [INPUT]', 'the instructions of a skill go with your message; /skills lists them'],
    ['/SERVER:PROMPT [ARGS]', 'a prompt of an MCP server; /mcp lists the servers'],
    ['@FILE', 'attaches a file; @FILE:10-40 some lines, @"two words.md" a name with a space'],
    ['!LINE', 'run a shell command and show the model its output; !!LINE hides it'],
    ['//TEXT', 'a text that begins with a slash'],
  ]
  const pen = penOfLook(look)
  const adapted = [...rows, ...signs].map(([name, about]): [string, string] => [
    adaptEllipsis(name, pen),
    adaptEllipsis(about, pen),
  ])
  return drawPairs('Commands', adapted, look)
}

export function drawUsage(view: SessionUsage & Pick<ChosenSettings, 'model'>, look: RenderLook): string[] {
  const { spending, context, model } = view
  const { tokens, window } = context
  const share = window ? ` of ${groupDigits(window)} (${Math.round((100 * tokens) / window)}%)` : ''
  const rows: [string, string][] = [
    ['model', sanitizeText(model.id)],
    ['tokens in', `${groupDigits(spending.input)}, ${groupDigits(spending.cached)} of them from the cache`],
    ['tokens out', groupDigits(spending.output)],
    ['cost', spending.usd === null ? 'unknown: the model has no price' : formatCost(spending.usd)],
    ['context', `${groupDigits(tokens)}${share}`],
  ]
  return drawPairs('Usage', rows, look)
}

/** Returns the pairs in two columns. If both do not have room, the second column is below the first. */
export function drawPairs(
  title: string,
  pairs: readonly (readonly [string, string])[],
  look: RenderLook,
): string[] {
  const rows = pairs.map(([name, about]) => [sanitizeText(name), sanitizeText(about)] as const)
  const pen = penOfLook(narrowLook(look, margin))
  const { width } = pen.look
  const column = Math.max(...rows.map(([name]) => pen.cells(name))) + 2
  const isNarrow = width - column < 20
  const lines = rows.flatMap(([name, about]) => {
    if (isNarrow)
      return [pen.clip(name, width), ...pen.wrap(about, Math.max(1, width - 2)).map((row) => `  ${row}`)]
    const space = ' '.repeat(column - pen.cells(name))
    return pen
      .wrap(about, width - column)
      .map((row, i) => (i === 0 ? name + space : ' '.repeat(column)) + row)
  })
  return indentLines([pen.paint({ bold: true })(title), ...lines])
}

export interface ThreadChange {
  file: FileDiff
  /** True if the record of the change was truncated, so that only a part of the change is shown. */
  isCut: boolean
  /** The title of the subagent that made the change; undefined for the thread itself. */
  agent?: string | undefined
}

/**
 * Returns lines with all changes of the thread; with `look.all`, wide pages have two columns. `atWork` is the
 * number of running subagents, whose changes are missing. Without changes and running subagents, returns a
 * line that says so.
 */
export function drawThreadChanges(
  changes: readonly ThreadChange[],
  atWork: number,
  look: RenderLook,
): string[] {
  const pen = penOfLook(narrowLook(look, margin))
  const { width } = pen.look
  const open = atWork === 0 ? [] : pen.wrap(`Without ${countNoun(atWork, 'agent')} still running.`, width)
  if (changes.length === 0 && atWork === 0) return drawDim('No tool has reported a changed file.', look)
  const cutNote = pen.paint({ dim: true })(pen.clip('the rest of this change is not recorded', width))
  const rows = changes.flatMap(({ file, isCut, agent }) => {
    const named = agent === undefined ? file : { ...file, what: `${file.what}, by ${agent}` }
    return [...drawFileDiff(named, width, pen, look.all), ...(isCut ? [cutNote] : [])]
  })
  return indentLines([...rows, ...open])
}

/** Returns the diff of a file, in two columns if `mayBeWide` is set and the page is wide enough. */
function drawFileDiff(file: FileDiff, width: number, pen: Pen, mayBeWide: boolean): string[] {
  const look = textLook(pen.look.unicode, pen.look.color)
  if (mayBeWide && width >= sideBySideCells) return drawSideBySide(file, look, width, pen)
  return breakLines(diffLines(file, look, true), width, pen).map(({ text }) => text)
}
