// Text that is written in the person's own editor, and pictures that go with a message.
import { basename } from 'node:path/posix'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionCommand } from '../../session/commands.ts'
import { type AttachedPicture, type InlineState, showHint } from '../inline/inline-state.ts'
import { expandPastes } from '../input/paste.ts'

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

export async function editText(state: InlineState): Promise<void> {
  const { io, editor, screen } = state
  const edit = io.editText
  if (!edit) return showHint(state, 'an editor can be opened where the session runs')
  const before = expandPastes(state.pastes, editor.text())
  let after: string | undefined
  try {
    await screen.lend(async () => {
      after = await edit(before)
    })
  } catch (error) {
    showHint(state, reasonOf(error), 10_000)
  }
  if (after !== undefined && after !== before) {
    state.pastes = new Map()
    editor.setText(after)
    state.draft.change(after)
  }
  screen.changed(true)
}

const pictureName = /\.(?:png|jpe?g|gif|webp)$/i

/** The path that a pasted text is, as terminals write it when a file is dropped; undefined for other text. */
export function readDroppedPicture(text: string): string | undefined {
  const line = text.trim()
  const bare = /^(["']).*\1$/.test(line) ? line.slice(1, -1) : line.replace(/\\(.)/g, '$1')
  if (line === '' || line.includes('\n') || !pictureName.test(bare)) return undefined
  if (!bare.startsWith('file://')) return /^[/.~]/.test(bare) ? bare : undefined
  try {
    return decodeURIComponent(new URL(bare).pathname)
  } catch {
    return undefined
  }
}

/** Puts what stands for the picture into the text; what is no picture stays text where it was pasted. */
export async function attachPicture(state: InlineState, path: string, pasted?: string): Promise<void> {
  const { io, editor } = state
  const read = io.readPicture
  if (!read) return showHint(state, 'pictures can be read where the session runs')
  await attach(
    state,
    basename(path),
    () => read(path),
    () => pasted !== undefined && editor.insert(pasted),
  )
}

export async function attachClipboardPicture(state: InlineState): Promise<void> {
  const read = state.io.readClipboardPicture
  if (!read) return showHint(state, 'the clipboard can be read where the session runs')
  await attach(state, 'clipboard', read, () => undefined)
}

async function attach(
  state: InlineState,
  name: string,
  read: () => Promise<AttachedPicture & { size?: string }>,
  failed: () => void,
): Promise<void> {
  try {
    const { size = '', ...picture } = await read()
    const words = ['picture', String(state.pictures.size + 1), sanitizeText(name).replace(/[[\]]/g, ''), size]
    const label = `[${words.filter((word) => word !== '').join(' ')}]`
    state.pictures = new Map([...state.pictures, [label, picture]])
    state.editor.insert(`${label} `)
  } catch (error) {
    failed()
    showHint(state, reasonOf(error), 10_000)
  }
  state.screen.changed(true)
}

type MessageParts = Extract<SessionCommand, { type: 'say' }>['content']

/** The text with the pictures that are still named in it. */
export function withPictures(text: string, pictures: ReadonlyMap<string, AttachedPicture>): MessageParts {
  const named = [...pictures].filter(([label]) => text.includes(label))
  if (named.length === 0) return text
  const images = named.map(([, picture]) => ({ type: 'image' as const, ...picture }))
  return [{ type: 'text', text }, ...images]
}
