// The tools of the toolset hooman for the session: lists, time, thinking, questions, plans, subagents.
import * as z from 'zod/mini'
import { field } from '../../tool/field.ts'
import type { ToolAdapter } from '../toolset.ts'

const filledText = () => z.string().check(z.minLength(1))
const positiveCount = () => z.int().check(z.gte(1))

const updateTodos: ToolAdapter = {
  name: 'update_todos',
  about: 'Replaces the whole list of todos.',
  example: { todos: [{ content: 'Fix the parser', status: 'in_progress', priority: 'high' }] },
  input: z.object({
    todos: field(
      z.array(
        z.object({
          content: filledText(),
          status: z.enum(['pending', 'in_progress', 'completed']),
          priority: z.optional(z.enum(['high', 'medium', 'low'])),
        }),
      ),
      'The list.',
    ),
  }),
  to: [
    {
      tool: 'todo_write',
      args: {
        todos: { items: 'todos', each: { content: 'content', status: 'status', priority: 'priority' } },
      },
    },
  ],
}

const sleep: ToolAdapter = {
  name: 'sleep',
  about: 'Waits up to an hour without holding a process.',
  example: { seconds: 2 },
  input: z.object({ seconds: field(z.number().check(z.gte(0), z.lte(3600)), 'Seconds, 0 to 3600.') }),
  to: [
    {
      tool: 'sleep',
      args: { seconds: 'seconds' },
      result: {
        json: {
          status: '{data.status}',
          requested_seconds: '{data.requested_seconds}',
          slept_seconds: '{data.slept_seconds}',
        },
      },
    },
  ],
}

const think: ToolAdapter = {
  name: 'think',
  about: 'Writes down one step of a chain of thought, which may revise or branch.',
  example: { thought: 'Measure first.', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 3 },
  input: z.object({
    thought: field(filledText(), 'The step.'),
    nextThoughtNeeded: field(z.boolean(), 'Another one follows.'),
    thoughtNumber: field(positiveCount(), 'Number, from 1.'),
    totalThoughts: field(positiveCount(), 'How many, as estimated now.'),
    isRevision: field(z.optional(z.boolean()), 'Revises an earlier one.'),
    revisesThought: field(z.optional(positiveCount()), 'Which one.'),
    branchFromThought: field(z.optional(positiveCount()), 'Where it branches off.'),
    branchId: field(z.optional(filledText()), 'Name of the branch.'),
    needsMoreThoughts: field(z.optional(z.boolean()), 'More than estimated.'),
  }),
  to: [
    {
      tool: 'think',
      args: {
        thought: 'thought',
        next_needed: 'nextThoughtNeeded',
        number: 'thoughtNumber',
        total: 'totalThoughts',
        is_revision: 'isRevision',
        revises: 'revisesThought',
        branch_from: 'branchFromThought',
        branch_id: 'branchId',
        more_needed: 'needsMoreThoughts',
      },
      result: {
        json: {
          thoughtNumber: '{data.number}',
          totalThoughts: '{data.total}',
          nextThoughtNeeded: '{data.next_needed}',
          branches: '{data.branches}',
          thoughtHistoryLength: '{data.history_length}',
        },
      },
    },
  ],
}

const getCurrentTime: ToolAdapter = {
  name: 'get_current_time',
  about: 'Says what time it is, ISO 8601 with offset.',
  example: { timezone: 'Europe/Berlin' },
  input: z.object({ timezone: field(z.optional(filledText()), 'IANA zone; the local one.') }),
  to: [
    {
      tool: 'clock',
      args: { to: 'timezone' },
      result: {
        json: {
          timezone: '{data.timezone}',
          datetime: '{data.datetime}',
          day_of_week: '{data.day_of_week}',
          is_dst: '{data.is_dst}',
        },
      },
    },
  ],
}

const convertTime: ToolAdapter = {
  name: 'convert_time',
  about: 'Converts a time of today from one zone to another.',
  example: { time: '14:30', source_timezone: 'Europe/Berlin', target_timezone: 'Asia/Tokyo' },
  input: z.object({
    time: field(
      z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be HH:MM, 00:00 to 23:59' })),
      'HH:MM.',
    ),
    source_timezone: field(z.optional(filledText()), 'IANA zone; the local one.'),
    target_timezone: field(z.optional(filledText()), 'IANA zone; the local one.'),
  }),
  to: [
    {
      tool: 'clock',
      args: { time: 'time', from: 'source_timezone', to: 'target_timezone' },
      result: {
        json: { source: '{data.source}', target: '{data.target}', time_difference: '{data.time_difference}' },
      },
    },
  ],
}

const askUser: ToolAdapter = {
  name: 'ask_user',
  about: 'Asks the user one question with 2 to 5 answers, the recommended one first.',
  example: { question: 'Which database?', options: ['PostgreSQL', 'SQLite'] },
  input: z.object({
    question: field(filledText(), 'The question.'),
    options: field(z.array(filledText()).check(z.minLength(2), z.maxLength(5)), 'Answers to choose from.'),
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
        json: {
          status: '{data.status}',
          answer: '{data.answers.0.label}{data.answers.0.text}',
          option: '{data.answers.0.option}',
        },
      },
      ifNoUser: { json: { status: 'no_user_available' } },
    },
  ],
}

const enterPlanMode: ToolAdapter = {
  name: 'enter_plan_mode',
  about: 'Begins or continues planning: a Markdown file to fill, and no other changes.',
  example: { reason: 'The change touches three modules.' },
  input: z.object({
    reason: field(z.optional(z.string()), 'Why.'),
    fresh: field(z._default(z.boolean(), false), 'Begin a new plan.'),
  }),
  to: [
    {
      tool: 'plan_enter',
      args: { reason: 'reason', fresh: 'fresh' },
      result: {
        json: { path: '{data.path}', reused: '{data.reused}', already_active: '{data.already_active}' },
      },
    },
  ],
}

const exitPlanMode: ToolAdapter = {
  name: 'exit_plan_mode',
  about: 'Shows the plan to the user, who approves it or keeps planning.',
  example: {},
  input: z.object({}),
  to: [
    {
      tool: 'plan_exit',
      args: {},
      result: { json: { status: '{data.status}', comment: '{data.comment}' } },
    },
  ],
}

const readingTools = [
  ...[
    'read',
    'look_at',
    'multi_read',
    'fs_list',
    'fs_stat',
    'grep',
    'glob',
    'web_fetch',
    'web_search',
    'think',
  ],
]

function createSubagent(name: string, about: string, query: string): ToolAdapter {
  return {
    name,
    about,
    example: { query },
    input: z.object({ query: field(filledText(), 'The task.') }),
    to: [
      {
        tool: 'task',
        args: {
          goal: 'query',
          read_only: { always: true },
          serves: { always: name },
          tools_allowed: { always: readingTools },
        },
      },
    ],
  }
}

export const hoomanSession: readonly ToolAdapter[] = [
  updateTodos,
  sleep,
  think,
  getCurrentTime,
  convertTime,
  askUser,
  enterPlanMode,
  exitPlanMode,
  createSubagent(
    'subagent_research',
    'Has a reading agent gather information.',
    'Where is the retry policy set?',
  ),
  createSubagent(
    'subagent_review',
    'Has a reading agent review code, changes or plans.',
    'Review src/parser.ts.',
  ),
  createSubagent(
    'subagent_test_investigator',
    'Has a reading agent find out why tests or builds fail.',
    'Why does parser.test.ts fail?',
  ),
]
