// The content blocks of a prompt, as a message of the session.
import { fileURLToPath } from 'node:url'
import type { ContentBlock, EmbeddedResourceResource } from '@agentclientprotocol/sdk/unstable'
import { UserError } from '../base/errors.ts'
import type { FileMention, SayContent } from '../session/commands.ts'

type ContentPart = Exclude<SayContent, string>[number]

interface PromptMessage {
  content: SayContent
  files: FileMention[]
}

/**
 * Returns the message of a prompt. The session reads linked files later; embedded text, images and documents
 * become parts of the message. Throws UserError for an audio block.
 */
export function readPromptBlocks(blocks: readonly ContentBlock[]): PromptMessage {
  const parts: ContentPart[] = []
  const files: FileMention[] = []
  const say = (text: string) => {
    const last = parts.at(-1)
    if (last?.type === 'text') last.text += text
    else parts.push({ type: 'text', text })
  }
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        say(block.text)
        break
      case 'image':
        parts.push({ type: 'image', mime: block.mimeType, base64: block.data })
        break
      case 'resource_link': {
        const file = readFileLink(block.uri)
        if (file) files.push(file)
        say(`@${file?.path ?? block.uri}`)
        break
      }
      case 'resource':
        addResource(block.resource, parts, say)
        break
      case 'audio':
        throw new UserError('sound cannot be taken here', { hint: 'send text, pictures or files' })
    }
  }
  const [only] = parts
  const isText = parts.length === 1 && only?.type === 'text'
  return { content: isText ? only.text : parts, files }
}

function addResource(
  resource: EmbeddedResourceResource,
  parts: ContentPart[],
  say: (text: string) => void,
): void {
  const { uri, mimeType } = resource
  const name = readFileLink(uri)?.path ?? uri
  if ('text' in resource) {
    say(`\n[file ${name}]\n${resource.text}\n`)
    return
  }
  if (mimeType?.startsWith('image/')) parts.push({ type: 'image', mime: mimeType, base64: resource.blob })
  else {
    say(`\n[file ${name}]\n`)
    parts.push({ type: 'document', name, base64: resource.blob })
  }
}

/**
 * Returns the file and lines of a URL such as `file:///a/b.ts#L3-7`; undefined for a URL of another scheme,
 * and for one that is not a path on this machine.
 */
export function readFileLink(uri: string): FileMention | undefined {
  if (!uri.startsWith('file://') || !URL.canParse(uri)) return undefined
  const url = new URL(uri)
  const [, first, last = first] = /^#L?(\d{1,9})(?:[-:]L?(\d{1,9}))?$/.exec(url.hash) ?? []
  url.hash = ''
  url.search = ''
  try {
    const lines = first === undefined ? {} : { startLine: Number(first), endLine: Number(last) }
    return { path: fileURLToPath(url), ...lines }
  } catch {
    // the URL has a host, or characters that a path cannot contain
    return undefined
  }
}
