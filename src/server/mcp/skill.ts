import { createHash } from 'node:crypto'

export const skillsExtension = 'io.modelcontextprotocol/skills'

const name = 'hand-work-to-people'
const description =
  'Ask a person to decide, check, correct or fill in something, and continue with their answer. Use it before an action that cannot be undone, when a fact is missing that only a person knows, or when your instructions require approval.'

/** One skill: how an agent hands work to people with the tools of this server. */
export const skillText = `---
name: ${name}
description: ${description}
---

# Hand work to people

## When to ask

- Before you do something that costs money, is sent to somebody, or cannot be undone.
- When two readings of your instructions lead to different results.
- When a person knows what you cannot find out.

Do not ask for what you can look up, and do not ask twice: search_tasks finds what was asked before, and the same
idempotencyKey returns the same task instead of a second one.

## Write the task with send_to_human

- \`task.name\`: the question in one line, with the amount, the name or the date: "Refund €184.50 to Ana Ruiz?"
- \`task.description\`: what you want decided, and what happens after each answer. Two or three sentences.
- \`context.data\`: everything the person needs, because they see nothing else of your work. One field per fact. Give a
  draft as one field with \`"ui:widget": "markdown"\` in \`context.ui\`; give alternatives to compare as a list with
  \`"ui:widget": "compare"\`.
- \`actions\`: two to four, named by what they do ("Refund", "Ask for photos first"), not "Yes" and "No". Give an action a
  \`schema\` if you need more than the choice: the amount, the corrected text, the reason. Prefill it with \`default\`.
- \`task.type\`: the same slug for all tasks of this kind, such as refund-approval. \`app\` and \`version\`: your application and
  its release, so that people's feedback can be compared across releases.
- \`acceptsQuestions\`: true if you will be there to reply. People can then ask you, or request changes, instead of rejecting.
- \`requireHuman\`: true if a person must decide this one. Otherwise a standing rule of the workspace may answer at once.
- \`priority\`: "urgent" only if somebody must look within minutes.
- \`expiresInSeconds\` with \`onExpire\`: if a late answer is useless. Choose the safe action, never the irreversible one.

## Wait with get_task

- Call get_task with \`waitSeconds\` 50. People need minutes or hours: after three calls give the user the \`url\` of the task,
  end your turn, and call get_task again when you are resumed.
- A service that runs all the time sets \`callbackUrl\` instead and receives a signed POST.
- Report progress, or a fact that has changed, with send_update. If the question is no longer needed, call cancel_task.

## Reply when people ask back

- \`waitingFor: "agent"\` means that a person waits for your reply before they answer. Reply to each entry of \`questions\` without
  an \`answer\`: send_update with \`answers\` set to its \`questionId\`, and the fact in \`message\`. If you do not know, say so.
- For the kind "changes", also send \`revision\`: the parts of the task that change, each as a whole.
- Then call get_task again. A question is not an answer: do not act on it.

## Read the answer

- \`handled.actionId\` is the action they chose; \`handled.data\` is what they filled in. Use their values, not your draft.
- \`service:reject-request\` means that the task itself was wrong: read \`handled.data.feedback\`, correct it, and ask again only
  if the feedback says so. \`service:mark-done\` means that it was settled elsewhere. Both mean: do not act.
- \`handled.decidedBy\` is "rule" if a standing rule that people set up answered instead of a person. It counts like their answer.
  It is "timeout" if nobody answered by the deadline: the action is your own \`onExpire\`, not a person's choice.
- \`expired\` and \`cancelled\` are not a yes.
- Before you change how you ask, call get_feedback_analysis with the same \`type\` and \`app\`: it says what people rejected and why.
`

const uri = `skill://${name}/SKILL.md`

/** The skill in `skills/list` and `skills/get`. */
export const skill = {
  uri,
  frontmatter: { name, description },
  resources: [
    {
      uri,
      digest: `sha256:${createHash('sha256').update(skillText).digest('hex')}`,
      size: Buffer.byteLength(skillText),
    },
  ],
}

export const skillResource = {
  uri,
  name,
  title: 'Hand work to people',
  description,
  mimeType: 'text/markdown',
}
