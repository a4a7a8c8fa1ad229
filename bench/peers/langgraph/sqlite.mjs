import { randomUUID } from 'node:crypto'
import { Command } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { builder } from './graph.mjs'

/** The graph as a library, with its state in a SQLite file. Opened by bench/rows/langgraph.ts. */
export function openSqlite(file) {
  const checkpointer = SqliteSaver.fromConnString(file)
  const graph = builder.compile({ checkpointer })
  const thread = (id) => ({ configurable: { thread_id: id } })
  return {
    async create(task) {
      const id = randomUUID()
      await graph.invoke({ task }, thread(id))
      return id
    },
    // The checkpointer has no query for this, so the caller keeps the ids and each is read.
    async countOpen(ids) {
      const states = await Promise.all(ids.map((id) => graph.getState(thread(id))))
      return states.filter(({ tasks }) => tasks.some(({ interrupts }) => interrupts.length > 0)).length
    },
    async answer(id, answer) {
      await graph.invoke(new Command({ resume: answer }), thread(id))
    },
    async read(id) {
      return (await graph.getState(thread(id))).values.answer
    },
    async close() {
      checkpointer.db.close()
    },
  }
}
