import type { Action } from '../../../../contract/action.ts'
import { reservedActions } from '../../../../contract/reserved-actions.ts'
import type { Context } from '../../../../contract/task-fields.ts'
import type { TaskRow } from '../../../storage/tasks/tasks.ts'
import { fieldsOf, inputId } from './form.ts'
import { type Block, linkButton, plainText, section, sections, slackLimits } from './text.ts'

/**
 * The action, task and revision that a button or a modal stands for. Slack sends it back in signed
 * requests. Whether the person may answer is checked with each request.
 */
export type ActionReference = { taskId: string; revision: number; actionId: string }
/**
 * `channelId`: where the person clicked, so that something can be explained there after the modal
 * was closed.
 */
export type ModalReference = ActionReference & { channelId: string }

export const rejectAction = reservedActions.rejectRequest
export const feedbackBlockId = 'feedback'

/** undefined: the form cannot be shown in Slack, so it is answered in Handrail. */
export function answerModal(
  task: TaskRow,
  action: Action,
  context: Context | undefined,
  channelId: string,
): Block | undefined {
  const fields = fieldsOf(action, context)
  if (!fields) return undefined
  const reference = { taskId: task.id, revision: task.revision, actionId: action.id, channelId }
  // The title of the action is repeated, because the modal may show only its beginning.
  const intro = [section(task.name), section(action.title), ...sections(action.description ?? '')]
  return inputModal(reference, action.title, [...intro, ...fields.map(({ block }) => block)])
}

export function rejectModal(task: TaskRow, channelId: string): Block {
  const reference = { taskId: task.id, revision: task.revision, actionId: rejectAction.id, channelId }
  const feedback = {
    type: 'input',
    block_id: feedbackBlockId,
    label: plainText('What should the agent do differently?'),
    element: {
      type: 'plain_text_input',
      action_id: inputId,
      multiline: true,
      max_length: slackLimits.inputText,
    },
  }
  return inputModal(reference, rejectAction.title, [section(task.name), feedback])
}

function inputModal(reference: ModalReference, title: string, blocks: Block[]): Block {
  return {
    type: 'modal',
    callback_id: 'answer',
    private_metadata: JSON.stringify(reference),
    title: plainText(title, slackLimits.modalTitle),
    submit: plainText('Send answer'),
    close: plainText('Cancel'),
    blocks,
  }
}

/** A modal that replaces the form with an explanation. */
export function explanationModal(text: string, url: string | undefined): Block {
  return {
    type: 'modal',
    title: plainText('Handrail'),
    close: plainText('Close'),
    blocks: explanationBlocks(text, url),
  }
}

export function explanationBlocks(text: string, url: string | undefined): Block[] {
  return [section(text), ...(url === undefined ? [] : [{ type: 'actions', elements: [linkButton(url)] }])]
}
