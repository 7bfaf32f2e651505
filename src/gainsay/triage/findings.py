"""A contradiction that was looked at, as a finding: all that a report, a replay and the next hunt need."""

from __future__ import annotations

import msgspec

from gainsay.campaign import conversation, events
from gainsay.campaign.alike import SHAPED
from gainsay.campaign.siblings import told
from gainsay.core import claim as claims
from gainsay.core import registry
from gainsay.core.model import Case, Seat, Seats, kind_of
from gainsay.triage import opinion as third
from gainsay.triage import signature
from gainsay.triage.causes import Causes, bucket_of, signatures
from gainsay.triage.job import Job
from gainsay.triage.span import Siblings
from gainsay.triage.telling import BROKEN, evidence, explained, shown, stated


def finding(
    job: Job, siblings: Siblings, causes: Causes, case: Case, found: conversation.Contradiction
) -> events.Finding:
    """All of a finding that its case says. How sure it is, and what was asked before, are the caller's to say."""
    group, family = job.group, registry.family(case.family)
    opinion = blamed(job, case, found)
    seat = group.seats[opinion.seat or 0]
    bucket = bucket_of(case, seat, found)
    text, *also = signatures(group, found, opinion, bucket)
    made = described(job, case, found, seat, text)
    made.opinion, made.also = opinion.words, tuple(also)
    made.shape, made.bucket = tuple(sorted(family.shape(case.scene, case.recipe))), tuple(sorted(bucket))
    like = found if family.answers_tell else None
    made.span = siblings.span(case, like) if group.siblings and made.kind in SHAPED else {}
    longer = f"{text} ({told(made.span)})" if made.span else text
    made.apart = (signature.ident(seat.target.engine, case.oracle, longer), longer)
    made.same_as = causes.same(case, made.span, bucket)
    made.skeleton = family.skeleton(case.recipe)
    made.kin = tuple(sorted(family.kin(case))) if found.claim is None else ()
    return made


def described(job: Job, case: Case, found: conversation.Contradiction, seat: Seat, text: str) -> events.Finding:
    """What was asked of whom, what was said, and what is wrong with it."""
    family, kind, claim = registry.family(case.family), kind_of(found.label), found.claim
    dialect = family.dialect(seat.dialect)
    texts, answers = evidence(case, found)
    return events.Finding(
        id=signature.ident(seat.target.engine, case.oracle if claim else kind, text),
        signature=text,
        kind=kind,
        status="",
        family=case.family,
        oracle=case.oracle,
        engine=seat.target.engine,
        version=seat.version,
        seat=seat.index,
        claim=found.label,
        words=claim.words() if claim else BROKEN[kind],
        why=explained(case, found, seat, Seats(job.group.seats)),
        seed=job.seed,
        name=job.raw.name,
        case=msgspec.to_builtins(case),
        setup=tuple(filter(None, (dialect.text(s) for s in family.script(case.scene)))),
        texts={label: family.legible(asked) for label, asked in texts.items()},
        answers={label: shown(answer) for label, answer in answers.items()},
        left=claims.lines(claim, claim.left, found.answers) if claim else (),
        right=claims.lines(claim, claim.right, found.answers) if claim else (),
        detail=found.detail[:2000],
        before=found.before,
        sides=stated(claim) if claim else {},
    )


def blamed(job: Job, case: Case, found: conversation.Contradiction) -> third.Opinion:
    """Whose answer is taken for the wrong one."""
    is_compared = len(job.group.seats) > 1 and case.recipe.shared_question is not None
    return third.opinion(case, found, job.group.seats) if is_compared else third.Opinion(found.seat, "")
