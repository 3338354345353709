// The tool task_list: tasks of a repository that outlive a conversation.

import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { repositoryOf } from '../../store/repository.ts'
import type { RepositoryTask, Store, TaskChange } from '../../store/store.ts'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { hasStore, storeOf } from '../../tool-support/storage.ts'
import about from './task_list.md'

const synonyms = {
  pending: 'open',
  todo: 'open',
  active: 'in_progress',
  doing: 'in_progress',
  'in-progress': 'in_progress',
  'in progress': 'in_progress',
  done: 'completed',
  complete: 'completed',
  finished: 'completed',
  closed: 'completed',
}

const input = z.object({
  action: field(z.enum(['create', 'list', 'get', 'update', 'delete']), 'What to do with the list'),
  taskID: field(z.optional(z.string()), 'Id of the task; on create a new id, default: one is made', {
    aliases: ['taskId', 'task_id', 'id'],
  }),
  title: field(z.optional(z.string()), 'Short title'),
  description: field(z.optional(z.string()), 'Details and acceptance criteria'),
  repoURL: field(z.optional(z.string()), 'Repository; default: this one; with list an empty text means all', {
    aliases: ['repoUrl', 'repo_url', 'repo'],
  }),
  status: field(
    z.optional(z.enum(['open', 'in_progress', 'completed'])),
    'State; create sets open, list filters by it',
    {
      synonyms,
    },
  ),
  dependsOn: field(z.optional(z.array(z.string())), 'Ids of tasks to complete first', {
    aliases: ['depends_on', 'dependencies'],
  }),
  parentID: field(z.optional(z.string()), 'Id of the task that it is part of; list filters by it', {
    aliases: ['parentId', 'parent_id', 'parent'],
  }),
  limit: field(z._default(z.int().check(z.minimum(0)), 0), 'Tasks to list; 0 lists all'),
})
type TaskListArgs = z.output<typeof input>

export const taskList = defineTool({
  name: 'task_list',
  about,
  input,
  example: { action: 'create', title: 'Document provider retries', dependsOn: [] },
  level: 'state_write',
  effect: ({ action }) => (action === 'list' || action === 'get' ? 'read' : 'write'),
  available: hasStore,
  async run(args, ctx) {
    const missing = findMissingArgument(args)
    if (missing) throw new FailureError({ code: 'bad_args', message: missing })
    const store = await storeOf(ctx)
    const repo = args.repoURL ?? repositoryOf(ctx.policy.roots.workspace)
    return actions[args.action](store, args, repo)
  },
})

type ActionResult = ToolResult<Record<string, unknown>>

const actions: Readonly<
  Record<TaskListArgs['action'], (store: Store, args: TaskListArgs, repo: string) => ActionResult>
> = {
  create: (store, { taskID, title = '', description, status, dependsOn, parentID }, repo) => {
    const task = store.tasks.create({
      repo,
      title,
      id: taskID || undefined,
      description,
      status,
      dependsOn,
      parent: parentID || undefined,
    })
    return { text: `created ${formatTask(task)}`, data: { task } }
  },
  list: (store, { status, parentID, dependsOn = [], limit }, repo) => {
    const matches = store.tasks
      .list({ repo: repo || undefined, status })
      .filter((task) => parentID === undefined || (task.parent ?? '') === parentID)
      .filter((task) => dependsOn.every((id) => task.dependsOn.includes(id)))
    const tasks = limit > 0 ? matches.slice(0, limit) : matches
    const remainingCount = matches.length - tasks.length
    const lines = tasks.map(formatTask)
    if (remainingCount > 0) lines.push(`… ${remainingCount} more; raise limit to see them`)
    const where = repo === '' ? 'any repository' : repo
    return {
      text: matches.length === 0 ? `No tasks for ${where}.` : lines.join('\n'),
      data: { repo, total: matches.length, tasks },
    }
  },
  get: (store, { taskID = '' }) => {
    const task = store.tasks.get(taskID)
    if (!task) throw unknownTask(taskID)
    const open = task.dependsOn.filter((id) => store.tasks.get(id)?.status !== 'completed')
    const more = [
      `repository ${task.repo || '(none)'}`,
      ...(open.length > 0 ? [`waits for ${open.join(', ')}`] : []),
      ...(task.description ? ['', task.description] : []),
    ]
    return { text: [formatTask(task), ...more].join('\n'), data: { task, blockedBy: open } }
  },
  update: (store, args) => {
    const change: TaskChange = {}
    if (args.title !== undefined) change.title = args.title
    if (args.description !== undefined) change.description = args.description
    if (args.repoURL !== undefined) change.repo = args.repoURL
    if (args.status !== undefined) change.status = args.status
    if (args.dependsOn !== undefined) change.dependsOn = args.dependsOn
    if (args.parentID !== undefined) change.parent = args.parentID
    if (Object.keys(change).length === 0)
      throw new FailureError({ code: 'bad_args', message: 'the update says nothing to change' })
    const task = store.tasks.update(args.taskID ?? '', change)
    return { text: `updated ${formatTask(task)}`, data: { task } }
  },
  delete: (store, { taskID = '' }) => {
    if (!store.tasks.delete(taskID)) throw unknownTask(taskID)
    return { text: `deleted ${taskID}`, data: { deleted: taskID } }
  },
}

/**
 * Returns a sentence about a missing id or a missing or blank title; undefined if the action has all
 * that it needs.
 */
function findMissingArgument({ action, taskID, title }: TaskListArgs): string | undefined {
  if (action === 'create' && !title?.trim()) return 'create needs a title'
  if (action === 'update' && title !== undefined && !title.trim()) return 'a title cannot be blank'
  if (action !== 'create' && action !== 'list' && !taskID) return `${action} needs taskID`
  return undefined
}

function unknownTask(id: string): FailureError {
  const hint = 'List the tasks to see their ids.'
  return new FailureError({ code: 'not_found', message: `unknown task ${id}`, hint })
}

function formatTask({ id, status, title, dependsOn, parent }: RepositoryTask): string {
  const links = [
    ...(dependsOn.length > 0 ? [`needs ${dependsOn.join(', ')}`] : []),
    ...(parent ? [`part of ${parent}`] : []),
  ]
  return `${id} [${status}] ${title}${links.length > 0 ? ` (${links.join('; ')})` : ''}`
}
