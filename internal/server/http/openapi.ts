// Description of the HTTP interface as OpenAPI 3.1, generated from its routes and their schemas.
import { toJSONSchema } from 'zod/v4/core'
import type { ServerRoute } from './server-route.ts'

export function describeInterface(routes: readonly ServerRoute[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method]: describeRoute(route) }
  return {
    openapi: '3.1.0',
    info: { title: 'Anode', version, summary: 'Runs, conversations and studies of one data directory' },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: {
        problem: {
          description: 'The error as a problem document',
          content: { 'application/problem+json': { schema: problemSchema } },
        },
      },
    },
  }
}

const problemSchema = {
  type: 'object',
  required: ['type', 'status', 'title'],
  properties: {
    type: { type: 'string' },
    status: { type: 'integer' },
    title: { type: 'string' },
    detail: { type: 'string' },
  },
}

function describeRoute({
  path,
  summary,
  scope,
  body,
  query = {},
  gives,
  starts,
}: ServerRoute): Record<string, unknown> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...word,
  }))
  const inQuery = Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    ...word,
  }))
  const schema = body && { allOf: [{ properties: { id: ownId } }, toJSONSchema(body, { io: 'input' })] }
  return {
    summary,
    security: [{ token: [scope] }],
    parameters: [...inPath, ...inQuery],
    requestBody: schema ? { required: true, content: { 'application/json': { schema } } } : undefined,
    responses: {
      [starts ? '201' : '200']: { description: 'Done', content: { [gives]: {} } },
      default: { $ref: '#/components/responses/problem' },
    },
  }
}

const ownId = { type: 'string', maxLength: 64, description: 'Of the client: sent twice it counts once' }
const word = { schema: { type: 'string' } }
