// Request of everything that a connected server offers.

import type { Client } from '@modelcontextprotocol/client'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { isObject, listOf, objectOf } from '../base/untrusted-json.ts'
import type { PromptItem, ResourceItem, ServerListing, ToolItem } from './server-listing.ts'

/**
 * Largest number of items of each kind; further items are ignored. A user could not review more, and a model
 * reads the description of every tool.
 */
const maxItems = { tools: 500, prompts: 500, resources: 1000 }

/**
 * Returns the listing with at most 500 tools, 500 prompts and 1,000 resources; a kind that the server does
 * not declare is empty. A failed request of tools rejects; a failed request of prompts or resources gives
 * an empty list.
 */
export async function requestListing(
  client: Client,
  print: string,
  era: ServerListing['era'],
): Promise<ServerListing> {
  const can = client.getServerCapabilities()
  const fresh = { cacheMode: 'refresh' } as const
  const [tools, prompts, resources] = await Promise.all([
    can?.tools ? requestTools(client) : [],
    can?.prompts ? client.listPrompts(undefined, fresh).then((answer) => answer.prompts, toEmptyList) : [],
    can?.resources
      ? client.listResources(undefined, fresh).then((answer) => answer.resources, toEmptyList)
      : [],
  ])
  const { name, version } = client.getServerVersion() ?? {}
  return {
    print,
    at: new Date().toISOString(),
    era,
    server:
      name === undefined
        ? undefined
        : { name: stripControlCharacters(name), version: stripControlCharacters(version ?? '') },
    tools: tools.slice(0, maxItems.tools).map(toolItem),
    prompts: prompts.slice(0, maxItems.prompts).map(promptItem),
    resources: resources.slice(0, maxItems.resources).map(resourceItem),
  }
}

const toEmptyList = () => []

/**
 * Schema of one page of the tool list that accepts any content, because each tool is parsed separately later.
 */
const anyPage = {
  '~standard': {
    version: 1,
    vendor: 'anode',
    validate: (value: unknown) => ({ value }),
  },
} as const

/**
 * Returns the valid tools of all pages; ends once there are 500 or more, or the server repeats the cursor of
 * a page. Each tool is parsed separately, so that one malformed tool does not disable the whole server.
 */
async function requestTools(client: Client): Promise<ToolItem[]> {
  const tools: ToolItem[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  do {
    const params = cursor === undefined ? {} : { cursor }
    const page = objectOf(await client.request({ method: 'tools/list', params }, anyPage)) ?? {}
    tools.push(...listOf(page.tools).flatMap(readTool))
    cursor = typeof page.nextCursor === 'string' && page.nextCursor !== '' ? page.nextCursor : undefined
    if (cursor !== undefined && cursors.has(cursor)) break
    if (cursor !== undefined) cursors.add(cursor)
  } while (cursor !== undefined && tools.length < maxItems.tools)
  return tools
}

function readTool(value: unknown): ToolItem[] {
  if (!isObject(value) || typeof value.name !== 'string' || value.name === '') return []
  const { name, title, description, inputSchema, annotations } = value
  const text = (one: unknown) => (typeof one === 'string' ? one : undefined)
  return [
    {
      name,
      title: text(title),
      description: text(description),
      inputSchema: isObject(inputSchema) ? inputSchema : {},
      annotations: isObject(annotations) ? annotations : undefined,
    },
  ]
}

function toolItem({ name, title, description, inputSchema, annotations }: ToolItem): ToolItem {
  return { name, title, description, inputSchema, annotations }
}

function promptItem({ name, description, arguments: args }: PromptItem): PromptItem {
  return { name, description, arguments: args }
}

function resourceItem({ uri, name, description, mimeType }: ResourceItem): ResourceItem {
  return { uri, name, description, mimeType }
}
