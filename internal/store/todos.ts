// Todo lists: each is read and replaced as a whole.
import type { DatabaseConnection } from './connection.ts'
import type { StoredTodo, TodoStore } from './store.ts'

export function createTodos(db: DatabaseConnection): TodoStore {
  return {
    read: (list) =>
      db
        .all<Record<keyof StoredTodo, string | null>>(
          'SELECT id, content, status, active_form, priority FROM todo WHERE list = ? ORDER BY place',
          list,
        )
        .map(
          (row) =>
            Object.fromEntries(
              Object.entries(row).filter(([, value]) => value !== null),
            ) as unknown as StoredTodo,
        ),
    replace: (list, todos) => {
      db.write(() => {
        db.run('DELETE FROM todo WHERE list = ?', list)
        for (const [place, todo] of todos.entries()) {
          db.run(
            `INSERT INTO todo (list, place, id, content, status, active_form, priority)
             VALUES (?, ?, ?, ?, ?, ?, ?)`,
            list,
            place,
            todo.id,
            todo.content,
            todo.status,
            todo.active_form ?? null,
            todo.priority ?? null,
          )
        }
      })
    },
  }
}
