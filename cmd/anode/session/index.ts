// The command `anode` without the name of a command, which opens a session with an agent on the terminal.
import { approvalChoices, foreignRunFlags, runOptions } from '../flags.ts'
import { toolsetOptions, type Verb } from '../verb.ts'

const { profile, model, 'add-dir': addDir, 'allow-tool': allowTool, approval } = runOptions
const { 'max-turns': maxTurns, 'budget-tokens': budgetTokens, 'budget-usd': budgetUsd } = runOptions

export const session = {
  name: 'session',
  summary: 'Work with an agent on the terminal: a conversation of many runs, with approvals and steering',
  usage: '["MESSAGE"] [flags]',
  positionals: [{ name: 'MESSAGE', describe: 'Said at once', many: true }],
  options: {
    resume: {
      type: 'string',
      bare: true,
      describe: 'Resume a thread: id, prefix or last; without one: pick it',
      value: 'THREAD',
    },
    continue: { type: 'boolean', describe: 'Resume the last thread of this workspace', alias: 'c' },
    fork: {
      type: 'string',
      describe: 'Resume a copy of a thread, up to event N if given',
      value: 'THREAD[@N]',
    },
    profile,
    model,
    ...toolsetOptions,
    'add-dir': addDir,
    'allow-tool': allowTool,
    'max-turns': maxTurns,
    'budget-tokens': budgetTokens,
    'budget-usd': budgetUsd,
    approval: { ...approval, choices: approvalChoices, default: 'auto' },
    screen: {
      type: 'string',
      describe: 'inline: in the scrollback; full: the whole terminal; plain: lines only, for screen readers',
      choices: ['inline', 'full', 'plain'],
    },
  },
  foreignFlags: foreignRunFlags,
  examples: [
    ['anode', 'A new session'],
    ['anode "Why does the first test fail?"', 'With its first message'],
    ['anode --continue', 'Resume where you stopped'],
  ],
  run: async (args, io) => (await import('./start-session.ts')).startSession(args, io),
} as Verb
