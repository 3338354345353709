// Files that are sent with the next message: PNG, JPEG, GIF and WebP files as images, all
// others as documents.
import { h } from 'preact'
import type { SayContent } from '../../session/commands.ts'
import { revealText } from '../text/shown-text.ts'

type FilePart = Exclude<Exclude<SayContent, string>[number], { type: 'text' }>

export interface AttachedFile {
  name: string
  size: number
  part: FilePart
}

/**
 * Largest number of bytes of the files of one message. A request of the page has at most 8 MiB, and base64
 * makes the bytes a third longer.
 */
const maxBytes = 5 * 1024 * 1024

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/**
 * Reads the files that the user chose. Rejects with an Error that lists these files if they do not fit in one
 * message with the files that are attached already, or that names a file that cannot be read.
 */
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

/**
 * Returns the content of a message: its text, preceded by the names of the attached files, and these files.
 * Without files, returns only the text.
 */
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
