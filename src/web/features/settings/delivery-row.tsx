import { useQueryClient } from '@tanstack/react-query'
import { Check, ChevronDown, Clock, RotateCw, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { Delivery } from '../../../contract/delivery.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { formatAgo, formatFullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'
import styles from './delivery-row.module.css'
import {
  describeDelivery,
  describeResponse,
  formatMilliseconds,
  isSentAsStored,
} from './describe-delivery.ts'

const stateIcons = {
  delivered: { icon: Check, name: 'Delivered' },
  pending: { icon: Clock, name: 'Pending' },
  failed: { icon: X, name: 'Failed' },
}

export function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  const now = useNow()
  const detailId = useId()
  const [isOpen, setOpen] = useState(false)
  const [isRedelivering, setRedelivering] = useState(false)
  const { receiver } = textsByKind[delivery.kind](delivery)
  async function redeliver() {
    await api.redeliver(delivery.deliveryId)
    await queryClient.invalidateQueries({ queryKey: ['deliveries', workspaceId] })
  }
  const last = delivery.attempts.at(-1)
  const stateIcon = stateIcons[delivery.state]
  return (
    <li>
      <div className={styles.delivery}>
        <button
          type="button"
          className={styles.line}
          aria-expanded={isOpen}
          aria-controls={detailId}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={stateIcon.icon} name={stateIcon.name} className={styles[delivery.state]} />
          <span className="num" title={last && describeResponse(last)}>
            {last && (
              <>
                <span className="sr-only">Response </span>
                {last.status ?? 'none'}
              </>
            )}
          </span>
          <bdi className="mono">{receiver}</bdi>
          <span className={`num ${styles.took}`}>
            {last && formatMilliseconds(last.durationMilliseconds)}
          </span>
          <span className={styles.next}>{describeDelivery(delivery, now)}</span>
          <time dateTime={delivery.createdAt} title={formatFullDate(delivery.createdAt)}>
            {formatAgo(delivery.createdAt, now)}
          </time>
          <Icon of={ChevronDown} className={styles.fold} />
        </button>
        <button
          type="button"
          className="btn square"
          aria-label={`Redeliver: ${receiver}`}
          title="Redeliver…"
          onClick={() => setRedelivering(true)}
        >
          <Icon of={RotateCw} />
        </button>
      </div>
      {isRedelivering && (
        <ConfirmDialog
          title="Redeliver this message?"
          description={describeRedelivery(delivery)}
          confirmLabel="Redeliver"
          onConfirm={redeliver}
          onClose={() => setRedelivering(false)}
        />
      )}
      <div id={detailId} hidden={!isOpen}>
        {isOpen && <DeliveryDetail delivery={delivery} />}
      </div>
    </li>
  )
}

type Texts = { receiver: string; message: string }

const formerMember = 'a former member'

const textsByKind: Record<Delivery['kind'], (delivery: Delivery) => Texts> = {
  callback: ({ url = '' }) => messageTo(escapeBidi(url.replace(/^https?:\/\//, ''))),
  slack: ({ to }) => messageTo(to === undefined ? 'Slack' : `Slack ${to}`),
  sse: () => ({
    receiver: 'MCP stream of the agent',
    message: 'the message on the MCP stream of the agent',
  }),
  mail: ({ to = formerMember }) => ({ receiver: `Email to ${to}`, message: `the email to ${to}` }),
  push: ({ to = formerMember }) => ({
    receiver: `Push message to ${to}`,
    message: `the push message to ${to}`,
  }),
  chat: () => ({ receiver: 'Chat webhook', message: 'the message to the chat webhook' }),
}

function messageTo(receiver: string): Texts {
  return { receiver, message: `the message to ${receiver}` }
}

function describeRedelivery(delivery: Delivery): string {
  const { message } = textsByKind[delivery.kind](delivery)
  if (isSentAsStored(delivery)) return `Handrail sends ${message} again, unchanged.`
  const again = `Handrail sends ${message} again, with current information.`
  const ifNeeded = `${again} It isn't sent if it's no longer needed`
  if (['service/task_created', 'service/digest'].includes(delivery.eventType))
    return `${ifNeeded}, for example because the task has ended.`
  // About anything other than new tasks, such as a mention, an email is always sent.
  return delivery.kind === 'mail' ? again : `${ifNeeded}.`
}
