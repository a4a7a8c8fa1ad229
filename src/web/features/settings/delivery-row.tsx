import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, ChevronDown, Clock, RotateCw, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { Delivery } from '../../../contract/delivery.ts'
import { asProblem } from '../../lib/problem.ts'
import { formatAgo, formatFullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'
import styles from './delivery-row.module.css'
import { describeDelivery, formatMilliseconds } from './describe-delivery.ts'

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
  const redelivery = useMutation({
    mutationFn: () => api.redeliver(delivery.deliveryId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['deliveries', workspaceId] }),
  })
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
          <span className="num">{last ? (last.status ?? 'none') : '–'}</span>
          <bdi className="mono">{describeReceiver(delivery)}</bdi>
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
          aria-label="Redeliver"
          title="Redeliver"
          onClick={() => !redelivery.isPending && redelivery.mutate()}
        >
          <Icon of={RotateCw} />
        </button>
      </div>
      {redelivery.error && (
        <ProblemStrip message="The delivery wasn't sent again." problem={asProblem(redelivery.error)} />
      )}
      <div id={detailId} hidden={!isOpen}>
        {isOpen && <DeliveryDetail delivery={delivery} />}
      </div>
    </li>
  )
}

function describeReceiver({ kind, url, to }: Delivery) {
  if (kind === 'mail') return `Email to ${to ?? 'a former member'}`
  if (kind === 'push') return `Push message to ${to ?? 'a former member'}`
  if (kind === 'slack') return `Slack ${to ?? ''}`.trim()
  if (kind === 'chat') return 'Chat channel'
  return url ? bidiSafe(url.replace(/^https?:\/\//, '')) : 'Push to the agent (MCP stream)'
}
