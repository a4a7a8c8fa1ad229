import { z } from 'zod'
import * as account from '../../contract/account.ts'
import * as action from '../../contract/action.ts'
import * as actionOutcome from '../../contract/action-outcome.ts'
import * as apiKey from '../../contract/api-key.ts'
import * as audit from '../../contract/audit.ts'
import * as connectedApp from '../../contract/connected-app.ts'
import * as createTask from '../../contract/create-task.ts'
import * as delivery from '../../contract/delivery.ts'
import * as exports from '../../contract/export.ts'
import * as feedbackAnalysis from '../../contract/feedback-analysis.ts'
import * as field from '../../contract/field.ts'
import * as ids from '../../contract/ids.ts'
import * as inbox from '../../contract/inbox.ts'
import * as invitation from '../../contract/invitation.ts'
import * as note from '../../contract/note.ts'
import * as notification from '../../contract/notification.ts'
import * as problem from '../../contract/problem.ts'
import * as question from '../../contract/question.ts'
import * as review from '../../contract/review.ts'
import * as rule from '../../contract/rules/rule.ts'
import * as setUp from '../../contract/set-up.ts'
import * as singleSignOn from '../../contract/single-sign-on.ts'
import * as slack from '../../contract/slack.ts'
import * as statistics from '../../contract/statistics.ts'
import * as task from '../../contract/task.ts'
import * as taskAnswer from '../../contract/task-answer.ts'
import * as taskBatch from '../../contract/task-batch.ts'
import * as taskFields from '../../contract/task-fields.ts'
import * as taskList from '../../contract/task-list.ts'
import * as taskUpdate from '../../contract/task-update.ts'
import * as view from '../../contract/view.ts'
import * as workspace from '../../contract/workspace.ts'
import type { Route } from './route.ts'

export type Json = Record<string, unknown>

const contract = {
  ...account,
  ...action,
  ...actionOutcome,
  ...apiKey,
  ...audit,
  ...connectedApp,
  ...createTask,
  ...delivery,
  ...exports,
  ...feedbackAnalysis,
  ...field,
  ...ids,
  ...inbox,
  ...invitation,
  ...note,
  ...notification,
  ...problem,
  ...question,
  ...review,
  ...rule,
  ...statistics,
  ...setUp,
  ...singleSignOn,
  ...slack,
  ...task,
  ...taskAnswer,
  ...taskBatch,
  ...taskFields,
  ...taskList,
  ...taskUpdate,
  ...view,
  ...workspace,
}

/**
 * The JSON Schemas of the routes. A schema that contract/ exports is a component with the name of
 * the export.
 */
export function openApiSchemas(routes: Route[]) {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(contract))
    if (schema instanceof z.ZodType) registry.add(schema, { id })
  // Parameters are listed one by one, so their schemas need no name. But Zod needs an id.
  for (const { operationId, params, query } of routes)
    for (const [part, schema] of Object.entries({ params, query }))
      if (schema && !registry.has(schema)) registry.add(schema, { id: `${operationId} ${part}` })
  const { schemas } = z.toJSONSchema(registry, {
    // The output side: that null and "" are tolerated is not part of the contract.
    io: 'output',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      // Zod has no JSON Schema for custom types. All of ours are objects.
      if (def.type === 'custom' && jsonSchema.$ref === undefined) jsonSchema.type = 'object'
      // A response may get more fields.
      if (def.type === 'object' && !('catchall' in def && def.catchall))
        delete jsonSchema.additionalProperties
      // Zod's patterns for formats use lookaround, which Go and RE2 cannot compile. The format
      // itself is enough.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  }) as { schemas: Record<string, Json> }
  const find = (schema: z.ZodType): Json => {
    const { $schema: _, $id: __, ...rest } = schemas[registry.get(schema)!.id]!
    return rest
  }

  return {
    find,
    /** A reference to a schema of contract/. */
    reference(schema: z.ZodType): Json {
      const id = registry.get(schema)?.id
      if (id === undefined) throw new Error('A body has a schema without a name. Export it from contract/.')
      return { $ref: `#/components/schemas/${id}` }
    },
    /** The schemas that the document refers to, also indirectly, by name. */
    componentsOf(document: Json): Record<string, Json> {
      const components: Record<string, Json> = {}
      const collect = (node: unknown): void => {
        for (const [, id] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
          if (components[id!]) continue
          components[id!] = find(contract[id as keyof typeof contract] as z.ZodType)
          collect(components[id!])
        }
      }
      collect(document)
      return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
    },
  }
}
