// The toolset swarmie: Anode's native tools, with the tools for a question, a branch and schedules under the
// names of the program swarmie.
import * as z from 'zod/mini'
import { field } from '../../tool/field.ts'
import type { ToolAdapter, ToolsetDefinition } from '../toolset.ts'

const filledText = () => z.string().check(z.minLength(1))

const noUserText = 'Not answered: {failure.message}. Continue with what you know, and name what you assume.'

const question: ToolAdapter = {
  name: 'question',
  about: 'Asks the user one question and waits for the answer, which is one of the options or their own.',
  example: { question: 'Run migrations now?', options: ['yes', 'no', 'later'] },
  input: z.object({
    question: field(filledText(), 'Question to the user.'),
    options: field(z.optional(z.array(filledText())), 'Answers to choose from.'),
  }),
  to: [
    {
      tool: 'ask_user',
      args: {
        question: 'question',
        options: { items: 'options', each: { id: { position: true }, label: { item: true } } },
        allow_freeform: { always: true },
      },
      result: {
        text: '{data.answers.0.label}{data.answers.0.text}',
        empty: 'The user gave no answer. Continue with what you know, and state your assumptions.',
      },
      ifNoUser: { text: noUserText },
    },
  ],
}

const branch: ToolAdapter = {
  name: 'branch',
  about:
    'Investigates something in a copy of this conversation and returns a concise conclusion.\n' +
    'It reads and searches; with allow_writes it may also edit files and run commands.',
  example: { description: 'Which callers of parseConfig rely on the order of its keys?', max_turns: 8 },
  input: z.object({
    description: field(filledText(), 'What the branch should investigate.'),
    max_turns: field(z._default(z.int().check(z.gte(1)), 10), 'Turns at most; more than 40 count as 40.'),
    allow_writes: field(z._default(z.boolean(), false), 'Also edit, write and run commands.'),
  }),
  to: [
    {
      tool: 'branch',
      args: { description: 'description', max_turns: 'max_turns', allow_writes: 'allow_writes' },
      result: { text: '{data.conclusion}' },
    },
  ],
}

const jobActions: readonly string[] = ['delete', 'enable', 'disable', 'history']

const cron: ToolAdapter = {
  name: 'cron',
  about:
    'Manages recurring tasks: create, list, delete, enable, disable, history.\n' +
    'A schedule has five fields, "0 7 * * 1-5" is 07:00 from Monday to Friday, or is @hourly, @daily, ' +
    '@weekly, @monthly, @yearly.',
  example: {
    action: 'create',
    name: 'news',
    schedule: '0 7 * * 1-5',
    prompt: 'What changed since yesterday?',
  },
  input: z
    .object({
      action: field(
        z.enum(['create', 'list', 'delete', 'enable', 'disable', 'history']),
        'What to do; create needs name, schedule and prompt, all others but list need job_id.',
      ),
      name: field(z.optional(filledText()), 'Name of the job.'),
      schedule: field(z.optional(filledText()), 'When it runs.'),
      prompt: field(z.optional(filledText()), 'Task of each run.'),
      job_id: field(z.optional(filledText()), 'Id or name of the job.'),
      timezone: field(z.optional(filledText()), 'IANA zone of the schedule; absent: the local one.'),
      agent: field(z.optional(filledText()), 'Profile of the runs.'),
      limit: field(z._default(z.int().check(z.gte(1)), 20), 'Runs that history lists.'),
    })
    .check(
      z.refine(
        ({ action, name, schedule, prompt }) => action !== 'create' || !!(name && schedule && prompt),
        {
          error: 'create needs name, schedule and prompt',
        },
      ),
      z.refine(({ action, job_id }) => !jobActions.includes(action) || !!job_id, {
        error: 'delete, enable, disable and history need job_id',
      }),
    ),
  to: [
    {
      tool: 'cron',
      args: {
        action: 'action',
        name: 'name',
        schedule: 'schedule',
        prompt: 'prompt',
        job_id: 'job_id',
        timezone: 'timezone',
        profile: 'agent',
        limit: 'limit',
      },
    },
  ],
}

export const swarmie: ToolsetDefinition = {
  name: 'swarmie',
  about: "Anode's own tools, with a question, a branch and schedules as swarmie has them",
  // The tools that verify claims are omitted, because they are for other agents over MCP and would take 700
  // tokens of each request.
  adapters: [
    '*',
    '!ask_user',
    '!prove',
    '!research_compare',
    '!study',
    '!study_verify',
    question,
    branch,
    cron,
  ],
}
