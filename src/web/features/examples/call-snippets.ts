import type { CreateTask } from '../../../contract/create-task.ts'
import type { Example } from '../../../contract/gallery/example.ts'
import { type SnippetGroup, terminal } from '../../ui/snippet-group.ts'

/** The call that sends this task, as MCP, curl and TypeScript. */
export function callSnippets(
  payload: CreateTask,
  url: string,
  replies?: Example['replies'],
): (SnippetGroup & { id: string })[] {
  const body = JSON.stringify(payload, null, 2)
  return [
    {
      id: 'mcp',
      title: 'MCP call',
      blocks: [
        { where: 'tools/call', text: JSON.stringify({ name: 'send_to_human', arguments: payload }, null, 2) },
      ],
      hint: 'The parameters of tools/call. A model writes only the arguments.',
    },
    {
      id: 'curl',
      title: 'curl',
      blocks: [
        {
          where: terminal,
          // In the shell, '\'' is a single quote inside single quotes.
          text: `curl ${url}/api/v1/tasks \\\n  -H "X-Api-Key: $HANDRAIL_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '${body.replaceAll("'", `'\\''`)}'`,
        },
      ],
      hint: 'Set the environment variable HANDRAIL_API_KEY to your key first.',
    },
    {
      id: 'typescript',
      title: 'TypeScript',
      blocks: [
        {
          where: 'agent.ts',
          text: `import { createClient } from 'handrail-client'

const handrail = createClient({ baseUrl: '${url}', apiKey: process.env.HANDRAIL_API_KEY! })

const { taskId } = await handrail.createTask(${body})
const { handled } = await handrail.waitForAnswer(taskId${waitOptions(payload, replies)})
console.log(handled?.actionId, handled?.data)`,
        },
      ],
      hint: `Install the client with npm install ${url}/client.tgz. waitForAnswer returns when the task is no longer open${payload.acceptsQuestions ? ', and calls onQuestion when someone asks a question' : ''}.`,
    },
  ]
}

/** The options of `waitForAnswer`: the handler of questions, if the task accepts questions. */
function waitOptions({ acceptsQuestions }: CreateTask, replies: Example['replies']): string {
  if (!acceptsQuestions) return ''
  const { question = 'This is what I know.', changes } = replies ?? {}
  const text = JSON.stringify(question)
  if (!changes) return `, {\n  onQuestion: () => ${text},\n}`
  const revised = JSON.stringify(changes, null, 2).replaceAll('\n', '\n    ')
  return `, {
  onQuestion: ({ kind }) => {
    if (kind === 'question') return ${text}
    return ${revised}
  },
}`
}
