// Text from the user's editor, text for the clipboard, and images that are attached to a message.
import { basename } from 'node:path/posix'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SayContent } from '../../session/commands.ts'
import { type AttachedPicture, type InlineState, showFailure, showHint } from '../inline/inline-state.ts'
import { wholeText } from '../input/editor-text.ts'
import { mentionOf } from '../input/mention.ts'
import { readTypedPath } from '../input/typed-path.ts'
import { copyText } from './copy-answer.ts'

export async function editText(state: InlineState): Promise<void> {
  const {
    screen: { io },
    composer: { editor },
    screen,
  } = state
  const edit = io.editText
  if (!edit) return showHint(state, 'the editor works only where the session runs')
  const before = wholeText(state.composer)
  let after: string | undefined
  try {
    await screen.lend(async () => {
      after = await edit(before)
    })
    if (after === undefined) showHint(state, 'the editor failed; the text is unchanged')
  } catch (error) {
    showFailure(state, error)
  }
  if (after !== undefined && after !== before) {
    state.composer.pastes = new Map()
    editor.setText(after)
  }
  screen.changed(true)
}

/** Copies the text to the clipboard. Shows a failure on the screen, and never rejects. */
export async function copyOutside(state: InlineState, text: string): Promise<void> {
  try {
    await copyText(state, text)
  } catch (error) {
    showFailure(state, error)
  }
}

const pictureName = /\.(?:png|jpe?g|gif|webp)$/i

const documentName = /\.(?:pdf|docx|xlsx|pptx|od[tsp]|epub)$/i

/**
 * Returns true for the name of a PDF, office file or book. Such a file is attached as a mention, because only
 * the session can read its format.
 */
export const isDocumentName = (path: string): boolean => documentName.test(path)

/**
 * Returns the path of an image that was dropped on the terminal, which pastes the path. Returns undefined
 * for other text.
 */
export const readDroppedPicture = (text: string, home?: string): string | undefined =>
  readDroppedPath(text, pictureName, home)

/**
 * Returns the mention for a PDF, office file or book that was dropped on the terminal. Returns undefined
 * for other text.
 */
export function mentionDropped(text: string, home?: string): string | undefined {
  const path = readDroppedPath(text, documentName, home)
  return path === undefined ? undefined : mentionOf(path)
}

function readDroppedPath(text: string, names: RegExp, home?: string): string | undefined {
  const line = text.trim()
  const bare = readTypedPath(line, home)
  if (line === '' || line.includes('\n') || !names.test(bare)) return undefined
  if (!bare.startsWith('file://')) return /^[/.~]/.test(bare) ? bare : undefined
  try {
    return decodeURIComponent(new URL(bare).pathname)
  } catch {
    return undefined
  }
}

/**
 * Attaches the file that the argument of `/image` names; its path was typed or dropped. A document becomes
 * a file mention.
 */
export async function attachNamedPicture(state: InlineState, name: string): Promise<void> {
  const path = readTypedPath(name, state.screen.io.env.HOME)
  if (!isDocumentName(path)) return attachPicture(state, path)
  state.composer.editor.insert(`${mentionOf(path)} `)
  state.screen.changed(true)
}

/**
 * Attaches an image and puts its label into the text. If the file cannot be read as an image, or the screen
 * cannot read files, inserts `pasted` instead and shows why.
 */
export async function attachPicture(state: InlineState, path: string, pasted?: string): Promise<void> {
  const {
    screen: { io },
    composer: { editor },
  } = state
  const read = io.readPicture
  if (!read) {
    if (pasted !== undefined) editor.insert(pasted)
    return showHint(state, 'images can be attached only where the session runs')
  }
  await insertPicture(
    state,
    basename(path),
    () => read(path),
    () => pasted !== undefined && editor.insert(pasted),
  )
}

export async function attachClipboardPicture(state: InlineState): Promise<void> {
  const read = state.screen.io.readClipboardPicture
  if (!read) return showHint(state, 'the clipboard works only where the session runs')
  await insertPicture(state, 'clipboard', read, () => undefined)
}

/** Largest number of attached images that the editor stores. One more replaces the oldest. */
const maxPictures = 20

const nextNumber = (text: string) =>
  String(1 + Math.max(0, ...Array.from(text.matchAll(/\[picture (\d+) /g), ([, number]) => Number(number))))

async function insertPicture(
  state: InlineState,
  name: string,
  read: () => Promise<AttachedPicture & { size?: string }>,
  failed: () => void,
): Promise<void> {
  try {
    const { pictures, label } = addPicture(
      state.composer.pictures,
      state.composer.editor.text(),
      name,
      await read(),
    )
    state.composer.pictures = pictures
    state.composer.editor.insert(`${label} `)
  } catch (error) {
    failed()
    showFailure(state, error)
  }
  state.screen.changed(true)
}

type PictureMap = ReadonlyMap<string, AttachedPicture>

/**
 * Returns the images with the added one, and its label. The number of the label is one above the largest
 * number of an image in the text. At `maxPictures` images, the oldest one is dropped.
 */
export function addPicture(
  pictures: PictureMap,
  text: string,
  name: string,
  { size = '', ...picture }: AttachedPicture & { size?: string },
): { pictures: PictureMap; label: string } {
  const words = ['picture', nextNumber(text), sanitizeText(name).replace(/[[\]]/g, ''), size]
  const label = `[${words.filter((word) => word !== '').join(' ')}]`
  return { pictures: new Map([...[...pictures].slice(1 - maxPictures), [label, picture]]), label }
}

/**
 * Returns the text as a message, followed by the images whose labels it still contains. Without such images,
 * returns the text alone.
 */
export function withPictures(text: string, pictures: PictureMap): SayContent {
  const named = [...pictures].filter(([label]) => text.includes(label))
  if (named.length === 0) return text
  const images = named.map(([, picture]) => ({ type: 'image' as const, ...picture }))
  return [{ type: 'text', text }, ...images]
}
