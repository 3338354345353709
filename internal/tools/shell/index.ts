// The tools for terminals that last from call to call. They are loaded together.
import type { Tool } from '../../tool/tool.ts'
import { terminalInterrupt } from './terminal_interrupt.ts'
import { terminalKill } from './terminal_kill.ts'
import { terminalRead } from './terminal_read.ts'
import { terminalStart } from './terminal_start.ts'
import { terminalWrite } from './terminal_write.ts'

export const terminalTools: Readonly<Record<string, Tool>> = {
  terminal_interrupt: terminalInterrupt,
  terminal_kill: terminalKill,
  terminal_read: terminalRead,
  terminal_start: terminalStart,
  terminal_write: terminalWrite,
} as unknown as Readonly<Record<string, Tool>>
