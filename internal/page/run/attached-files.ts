// Files that go with the next message: images as images, all others as documents.
import { h } from 'preact'
import type { SessionCommand } from '../../session/commands.ts'
import { revealText } from '../text/shown-text.ts'

type SayContent = Extract<SessionCommand, { type: 'say' }>['content']
type FilePart = Exclude<Exclude<SayContent, string>[number], { type: 'text' }>

export interface AttachedFile {
  name: string
  size: number
  part: FilePart
}

/** A request of the page has at most 8 MiB, and base64 takes a third more than the bytes. */
const maxBytes = 5 * 1024 * 1024

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Reads chosen files. Throws an Error that names the files which do not fit in one message. */
export async function readFiles(
  files: readonly File[],
  attached: readonly AttachedFile[],
): Promise<AttachedFile[]> {
  const size = [...attached, ...files].reduce((sum, file) => sum + file.size, 0)
  if (size > maxBytes) {
    const names = files.map(({ name }) => name).join(', ')
    throw new Error(`not attached: ${names}. The files of one message have at most 5 MiB; attach fewer.`)
  }
  return Promise.all(files.map(readFile))
}

async function readFile(file: File): Promise<AttachedFile> {
  const base64 = await readBase64(file)
  const { name, size, type } = file
  const isImage = imageTypes.includes(type)
  const part: FilePart = isImage ? { type: 'image', mime: type, base64 } : { type: 'document', name, base64 }
  return { name, size, part }
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new Error(`cannot read ${file.name}; choose it again`))
    reader.readAsDataURL(file)
  })
}

/** Returns the text with the attached files, which it names. */
export function contentWithFiles(text: string, files: readonly AttachedFile[]): SayContent {
  if (files.length === 0) return text
  const names = files.map(({ name }) => `[file ${name}]`).join(' ')
  return [{ type: 'text', text: text === '' ? names : `${names} ${text}` }, ...files.map(({ part }) => part)]
}

export function AttachedFiles({
  files,
  remove,
}: {
  files: readonly AttachedFile[]
  remove: (file: AttachedFile) => void
}) {
  return files.map((file, i) =>
    h(
      'p',
      { key: `${i} ${file.name}`, class: 'queued' },
      h('span', { class: 'who' }, 'file'),
      h('span', null, revealText(file.name)),
      h('button', { type: 'button', class: 'plain', onClick: () => remove(file) }, 'Remove'),
    ),
  )
}
