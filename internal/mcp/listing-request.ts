// Asks a connected server for everything it offers.
import type { Client } from '@modelcontextprotocol/client'
import { stripControlCharacters } from '../tool-support/tool-schema.ts'
import type { PromptItem, ResourceItem, ServerListing, ToolItem } from './server-listing.ts'

/** More of one kind is not taken: nobody could look through it, and a model is told of every tool. */
const maxItems = { tools: 500, prompts: 500, resources: 1000 }

/** Tools must be told; prompts and resources that cannot be are none. */
export async function requestListing(
  client: Client,
  print: string,
  era: ServerListing['era'],
): Promise<ServerListing> {
  const can = client.getServerCapabilities()
  const fresh = { cacheMode: 'refresh' } as const
  const [tools, prompts, resources] = await Promise.all([
    can?.tools ? client.listTools(undefined, fresh).then((answer) => answer.tools) : [],
    can?.prompts ? client.listPrompts(undefined, fresh).then((answer) => answer.prompts, none) : [],
    can?.resources ? client.listResources(undefined, fresh).then((answer) => answer.resources, none) : [],
  ])
  const { name, version } = client.getServerVersion() ?? {}
  return {
    print,
    at: new Date().toISOString(),
    ...(era && { era }),
    ...(name !== undefined && {
      server: { name: stripControlCharacters(name), version: stripControlCharacters(version ?? '') },
    }),
    tools: tools.slice(0, maxItems.tools).map(toolItem),
    prompts: prompts.slice(0, maxItems.prompts).map(promptItem),
    resources: resources.slice(0, maxItems.resources).map(resourceItem),
  }
}

const none = () => []

function toolItem({ name, title, description, inputSchema, annotations }: ToolItem): ToolItem {
  return { name, title, description, inputSchema, annotations }
}

function promptItem({ name, description, arguments: args }: PromptItem): PromptItem {
  return { name, description, arguments: args }
}

function resourceItem({ uri, name, description, mimeType }: ResourceItem): ResourceItem {
  return { uri, name, description, mimeType }
}
