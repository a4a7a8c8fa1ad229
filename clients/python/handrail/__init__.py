"""Hand work to people and get an answer back you can rely on.

    from handrail import Client

    answer = Client().ask(
        type="refund-approval",
        name="Refund €184.50?",
        description="The parcel came back on day 34.",
        actions=[{"id": "approve", "title": "Approve"}, {"id": "decline", "title": "Decline"}],
    )
    print(answer.handled_by, "chose", answer.action)
"""

from .approval import require_approval
from .async_client import AsyncClient
from .client import Client
from .conversation import Reply
from .errors import (
    Cancelled,
    Denied,
    Expired,
    HandrailError,
    Problem,
    TaskEnded,
    Violation,
    WaitStopped,
    WaitTimeout,
    WebhookNotVerified,
)
from .records import Answer, Edit, Page, Question, SendResult, Sent, Task, Update, UpdateSent
from .transport import __version__
from .webhooks import verify_webhook

__all__ = [
    "Answer",
    "AsyncClient",
    "Cancelled",
    "Client",
    "Denied",
    "Edit",
    "Expired",
    "HandrailError",
    "Page",
    "Problem",
    "Question",
    "Reply",
    "SendResult",
    "Sent",
    "Task",
    "TaskEnded",
    "Update",
    "UpdateSent",
    "Violation",
    "WaitStopped",
    "WaitTimeout",
    "WebhookNotVerified",
    "__version__",
    "require_approval",
    "verify_webhook",
]
