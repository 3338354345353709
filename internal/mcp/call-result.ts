// Conversion of a server's answer to text for a model, data for a program and images.
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { ResourceContent } from '../tool/ctx.ts'
import { failedResult, type ResultMedia, type ToolResult } from '../tool/result.ts'
import { describeResource } from './resource-content.ts'

/**
 * Data of a tool result for programs: the server's answer, in which images, sounds and binary resources are
 * replaced by their size.
 */
interface ServerAnswer {
  server: string
  tool: string
  content: readonly unknown[]
  structured?: unknown
}

/**
 * Returns the server's answer as a tool result; if the server reports an error, the result is a failure. A
 * link to a resource of the server is written as `@SERVER:URI`, with the name `server`.
 */
export async function resultOf(
  { server, tool, signal }: { server: string; tool: string; signal: AbortSignal },
  answer: CallToolResult,
): Promise<ToolResult<ServerAnswer>> {
  const content = answer.content ?? []
  const described = await Promise.all(content.map((block) => describeBlock(block, server, signal)))
  const parts = described.map(({ text }) => text).filter((part) => part !== '')
  const { structuredContent: structured } = answer
  // Some servers answer only with structured content, which then becomes the text.
  if (parts.length === 0 && structured !== undefined) parts.push(JSON.stringify(structured, null, 2))
  const text = parts.join('\n')
  const data: ServerAnswer = { server, tool, content: content.map(omitBinary), structured }
  if (answer.isError === true) {
    const why = text === '' ? 'it did not say why' : text
    return failedResult('command_failed', `${tool} of ${server} failed: ${why}`, {
      data,
    }) as ToolResult<ServerAnswer>
  }
  const media = described.flatMap((part) => part.media)
  const resultText = text === '' ? `${tool} gave back nothing` : text
  return { text: resultText, data, media: media.length > 0 ? media : undefined }
}

/** Returns one part of an answer or of a prompt as a model reads it: text and images. */
export async function describeBlock(
  block: ContentBlock,
  server: string,
  signal: AbortSignal,
): Promise<ResourceContent> {
  if (block.type === 'resource') {
    const { text, media } = await describeResource(block.resource, signal)
    return { text: `[resource ${block.resource.uri}]\n${text}`, media }
  }
  return { text: summarizeBlock(block, server), media: readPicture(block) }
}

function summarizeBlock(block: Exclude<ContentBlock, { type: 'resource' }>, server: string): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${bytesOf(block.data)} bytes]`
    case 'resource_link':
      return `[resource @${server}:${block.uri} ${titleOf(block)}]`
    default:
      return `[${JSON.stringify(block).slice(0, 500)}]`
  }
}

const titleOf = ({ title, name, description }: ContentBlock & { type: 'resource_link' }) =>
  [title ?? name, description].filter(Boolean).join(': ')

/** Returns the image as media for a model, or an empty list for a block that is not a supported image. */
function readPicture(block: ContentBlock): ResultMedia[] {
  if (block.type !== 'image' || !/^image\/(png|jpeg|gif|webp)$/.test(block.mimeType)) return []
  return [{ type: 'image', mime: block.mimeType, base64: block.data }]
}

function omitBinary(block: ContentBlock): unknown {
  if (block.type === 'image' || block.type === 'audio') {
    const { data, ...rest } = block
    return { ...rest, bytes: bytesOf(data) }
  }
  if (block.type === 'resource' && 'blob' in block.resource) {
    const { blob, ...rest } = block.resource
    return { ...block, resource: { ...rest, bytes: bytesOf(blob) } }
  }
  return block
}

const bytesOf = (base64: string) => Buffer.byteLength(base64, 'base64')
