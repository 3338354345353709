// Tasks of repositories: small pieces of work with dependencies and parents, shared by all processes.
import { FailureError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import type { DatabaseConnection } from '../connection.ts'
import type { RepositoryTask, RepositoryTasks } from '../store.ts'
import { findCycle } from './dependency-cycle.ts'

type TaskRow = Omit<RepositoryTask, 'dependsOn'> & { needs: string }

const columns = `t.id, t.repo, t.title, t.description, t.status, t.parent, t.created, t.updated,
  (SELECT json_group_array(needs) FROM (SELECT needs FROM repo_task_dependency
    WHERE task = t.id ORDER BY place))
    AS needs`

export function createTasks(db: DatabaseConnection, now: () => number): RepositoryTasks {
  return {
    get: (id) => getTask(db, id),
    create: (task) => db.write(() => insertTask(db, now(), task)),
    list: ({ repo, status, limit }) =>
      db
        .all<TaskRow>(
          `SELECT ${columns} FROM repo_task t
           WHERE (?1 IS NULL OR t.repo = ?1) AND (?2 IS NULL OR t.status = ?2) ORDER BY t.n LIMIT ?3`,
          repo ?? null,
          status ?? null,
          limit || -1,
        )
        .map(readTask),
    update: (id, change) => db.write(() => updateTask(db, now(), id, change)),
    delete: (id) => db.write(() => db.run('DELETE FROM repo_task WHERE id = ?', id).changes > 0),
  }
}

function getTask(db: DatabaseConnection, id: string): RepositoryTask | undefined {
  const row = db.get<TaskRow>(`SELECT ${columns} FROM repo_task t WHERE t.id = ?`, id)
  return row && readTask(row)
}

function insertTask(
  db: DatabaseConnection,
  time: number,
  task: Parameters<RepositoryTasks['create']>[0],
): RepositoryTask {
  const id = task.id || createTaskId(db)
  if (db.get('SELECT 1 FROM repo_task WHERE id = ?', id)) throw taskExistsError(id)
  db.run(
    `INSERT INTO repo_task (id, repo, title, description, status, created, updated)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    id,
    task.repo,
    task.title,
    task.description ?? '',
    task.status ?? 'open',
    time,
    time,
  )
  if (task.parent) setParent(db, id, task.parent)
  if (task.dependsOn?.length) setDependencies(db, id, task.dependsOn)
  return getTask(db, id) as RepositoryTask
}

function updateTask(
  db: DatabaseConnection,
  time: number,
  id: string,
  change: Parameters<RepositoryTasks['update']>[1],
): RepositoryTask {
  demandTask(db, id, 'task')
  const { repo = null, title = null, description = null, status = null } = change
  db.run(
    `UPDATE repo_task SET repo = coalesce(?, repo), title = coalesce(?, title),
       description = coalesce(?, description), status = coalesce(?, status), updated = ? WHERE id = ?`,
    repo,
    title,
    description,
    status,
    time,
    id,
  )
  if (change.parent !== undefined) setParent(db, id, change.parent || null)
  if (change.dependsOn !== undefined) setDependencies(db, id, change.dependsOn)
  return getTask(db, id) as RepositoryTask
}

/**
 * Sets the parent and then checks for cycles, as `setDependencies` does. If there is a cycle, the error makes
 * the transaction undo the change.
 */
function setParent(db: DatabaseConnection, id: string, parent: string | null): void {
  if (parent !== null && parent !== id) demandTask(db, parent, 'parent')
  db.run('UPDATE repo_task SET parent = ? WHERE id = ?', parent, id)
  const parents = (task: string) => {
    const row = db.get<{ parent: string | null }>('SELECT parent FROM repo_task WHERE id = ?', task)
    return row?.parent ? [row.parent] : []
  }
  refuseCycle(findCycle(id, parents), 'parents')
}

function setDependencies(db: DatabaseConnection, id: string, ids: readonly string[]): void {
  db.run('DELETE FROM repo_task_dependency WHERE task = ?', id)
  for (const [place, other] of [...new Set(ids)].entries()) {
    demandTask(db, other, 'dependency')
    db.run('INSERT INTO repo_task_dependency (task, needs, place) VALUES (?, ?, ?)', id, other, place)
  }
  const needs = (task: string) =>
    db
      .all<{ id: string }>('SELECT needs AS id FROM repo_task_dependency WHERE task = ? ORDER BY place', task)
      .map((row) => row.id)
  refuseCycle(findCycle(id, needs), 'dependencies')
}

function demandTask(db: DatabaseConnection, id: string, role: string): void {
  if (!db.get('SELECT 1 FROM repo_task WHERE id = ?', id)) throw unknownTaskError(db, id, role)
}

function readTask({ needs, ...row }: TaskRow): RepositoryTask {
  return { ...row, dependsOn: JSON.parse(needs) as string[] }
}

function refuseCycle(cycle: string[] | undefined, what: string) {
  if (!cycle) return
  const way = cycle.join(' -> ')
  throw new FailureError({
    code: 'cycle',
    message: `the ${what} would form a cycle: ${way}`,
    hint: 'Nothing was changed; leave out one of these links.',
    detail: { cycle: cycle },
  })
}

function unknownTaskError(db: DatabaseConnection, id: string, role: string): FailureError {
  const taskIds = db
    .all<{ id: string }>('SELECT id FROM repo_task ORDER BY n DESC LIMIT 500')
    .map((t) => t.id)
  const near = suggestNames(id, taskIds)
  return new FailureError({
    code: 'not_found',
    message: `there is no ${role === 'task' ? '' : `${role} `}task ${id}`,
    hint: near || undefined,
    detail: { id },
  })
}

function taskExistsError(id: string): FailureError {
  return new FailureError({
    code: 'bad_args',
    message: `a task ${id} exists already`,
    hint: 'Leave taskID out to get a new one, or change the task with action update.',
    detail: { id },
  })
}

/** Returns a new id. It is short because models repeat ids, and has no letters that are easily confused. */
function createTaskId(db: DatabaseConnection): string {
  for (;;) {
    // The module is loaded only here, because that takes milliseconds, which a run without tasks
    // should not need.
    const { randomInt } = process.getBuiltinModule('node:crypto')
    const id = `task_${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')}`
    if (!db.get('SELECT 1 FROM repo_task WHERE id = ?', id)) return id
  }
}

const letters = '0123456789abcdefghjkmnpqrstvwxyz'
