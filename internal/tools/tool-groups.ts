// The tools that load in groups, because each of them is small.
import type { Tool } from '../tool/tool.ts'

export const loadSessionTool = async (name: string): Promise<Tool> =>
  (await import('./session/index.ts')).sessionTools[name] as Tool

export const loadAgentTool = async (name: string): Promise<Tool> =>
  (await import('./agents/index.ts')).agentTools[name] as Tool
