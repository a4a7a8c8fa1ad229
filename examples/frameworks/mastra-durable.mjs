// Mastra: a step creates a task and suspends the workflow, whose snapshot is in libSQL. Handrail's signed callback resumes it in another
// process. If a person asks first, the callback is answered, and the workflow stays suspended.
//   node mastra-durable.mjs start     runs the workflow until it needs a person
//   node mastra-durable.mjs resume    receives the callbacks and runs the rest
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Mastra } from '@mastra/core'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { LibSQLStore } from '@mastra/libsql'
import express from 'express'
import { createClient, verifyWebhook, WebhookNotVerified } from 'handrail-client'
import { z } from 'zod'

const handrail = createClient({ baseUrl: process.env.HANDRAIL_URL, apiKey: process.env.HANDRAIL_API_KEY })

const Release = z.object({ version: z.string() })

const approve = createStep({
  id: 'approve',
  inputSchema: Release,
  resumeSchema: z.object({ action: z.string() }),
  outputSchema: Release.extend({ approved: z.boolean() }),
  async execute({ inputData, resumeData, runId, suspend }) {
    if (resumeData) return { ...inputData, approved: resumeData.action === 'deploy' }
    const task = {
      task: {
        type: 'deploy-approval',
        name: `Deploy ${inputData.version}?`,
        description: 'All checks are green.',
      },
      app: 'mastra-example',
      acceptsQuestions: true,
      actions: [
        { id: 'deploy', title: 'Deploy' },
        { id: 'hold', title: 'Hold' },
      ],
      callbackUrl: `http://127.0.0.1:${process.env.PORT ?? 8090}/handrail`,
      metadata: { runId },
    }
    // The key makes it safe to run this step twice.
    const { url } = await handrail.createTask(task, { idempotencyKey: runId })
    console.log(`The workflow is suspended. Waiting for an answer: ${url}`)
    return await suspend({ url })
  },
})

const deploy = createStep({
  id: 'deploy',
  inputSchema: Release.extend({ approved: z.boolean() }),
  outputSchema: z.object({ outcome: z.string() }),
  execute: async ({ inputData: { version, approved } }) => ({
    outcome: approved ? `deployed ${version}` : `${version} is on hold`,
  }),
})

const release = createWorkflow({ id: 'release', inputSchema: Release, outputSchema: deploy.outputSchema })
  .then(approve)
  .then(deploy)
  .commit()

const mastra = new Mastra({
  workflows: { release },
  storage: new LibSQLStore({ id: 'example', url: 'file:mastra.db' }),
  logger: false,
})
const workflow = mastra.getWorkflow('release')

if (process.argv[2] === 'start') await start()
else await resume()

async function start() {
  const run = await workflow.createRun()
  const { status } = await run.start({ inputData: { version: '3.18.0' } })
  assert.equal(status, 'suspended')
}

async function resume() {
  const app = express()
  app.post('/handrail', express.text({ type: 'application/json' }), async (request, response) => {
    const event = await verifyWebhook(request.headers, request.body, process.env.HANDRAIL_WEBHOOK_SECRET)
    const { runId } = event.metadata
    const { status } = await workflow.getWorkflowRunById(runId)
    if (event.type === 'service/task_question') await replyTo(event)
    // Callbacks may arrive twice: a run that is no longer suspended has received its answer.
    else if (status === 'suspended') {
      const run = await workflow.createRun({ runId })
      // An expired or cancelled task has no action.
      const resumeData = { action: event.action?.id ?? event.status }
      app.emit('resumed', await run.resume({ step: approve, resumeData }))
    }
    response.sendStatus(204)
  })
  app.use((error, _request, response, _next) => {
    response.sendStatus(error instanceof WebhookNotVerified ? 400 : 500)
  })
  const server = app.listen(process.env.PORT ?? 8090, '127.0.0.1')

  const [{ status, result }] = await once(app, 'resumed')
  server.close()
  assert.equal(status, 'success')
  assert.match(result.outcome, /3\.18\.0/, 'The snapshot of the first process was restored.')
  console.log(`Resumed in a new process: ${result.outcome}`)
}

/** A model would read the question. It is answered only once, also if the callback arrives twice. */
async function replyTo({ taskId, question }) {
  try {
    await handrail.reply(taskId, question.questionId, 'I know only that all checks are green.')
  } catch (problem) {
    if (problem.code !== 'task_not_open') throw problem // somebody has answered the task meanwhile
  }
}
