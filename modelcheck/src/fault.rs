/// A deliberate error in one step of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The bridge acknowledges an input before it commits it.
    AcknowledgesInputBeforeCommit,
    /// The bridge acknowledges a decision before it commits it.
    AcknowledgesDecisionBeforeCommit,
    /// The bridge acknowledges output to the keeper before it commits it.
    AcknowledgesOutputBeforeCommit,
    /// The bridge commits events and the cursor in two transactions.
    CommitsWithoutCursor,
    /// The bridge does not recognise an input that the client sends again.
    EnqueuesResentInput,
    /// The bridge marks an input as done when it has offered it to the keeper.
    MarksSentAsDone,
    /// The bridge offers a returned input again and leaves it returned in the log.
    OffersReturnedWithoutCommit,
    /// An agent that ends before it is ready counts as one that was given nothing.
    TrustsReadiness,
    /// A line that may have been written counts as not written.
    GivesUnconfirmedAgain,
    /// An input that may have been written stays sent when the agent is gone.
    LeavesUnconfirmedSent,
    /// A missing folder counts as proof that the agent was given nothing.
    TakesMissingFolderAsProof,
    /// The bridge starts an agent when a folder is missing, without ending the processes of its keeper.
    LeavesAgentOfMissingFolder,
    /// The bridge handles the end of an agent before it has committed all of its output.
    HandlesExitBeforeOutput,
    /// The bridge deletes the folder of a dead keeper before it reads it.
    DeletesUnreadFolder,
    /// The bridge does not wait for a frozen keeper.
    GivesUpFrozenKeeper,
    /// The bridge takes no lock on the folder of a keeper that it declares dead.
    ClosesWithoutLock,
    /// The bridge does not mark the folder of a dead keeper before it commits its end.
    ClosesWithoutMark,
    /// A keeper that starts late does not look at its folder again when it has the lock.
    StartsInRemovedFolder,
    /// The keeper records a line after it has written it.
    RecordsAfterWrite,
    /// The keeper writes a line that its journal knows.
    IgnoresJournal,
    /// The bridge delivers a decision under a new id when it attaches again.
    RenamesDecision,
    /// The bridge does not count an agent's report that it knows an input as the result of that input.
    IgnoresKnownInput,
}

impl Fault {
    /// All faults.
    pub const ALL: &[Fault] = &[
        Fault::AcknowledgesInputBeforeCommit,
        Fault::AcknowledgesDecisionBeforeCommit,
        Fault::AcknowledgesOutputBeforeCommit,
        Fault::CommitsWithoutCursor,
        Fault::EnqueuesResentInput,
        Fault::MarksSentAsDone,
        Fault::OffersReturnedWithoutCommit,
        Fault::TrustsReadiness,
        Fault::GivesUnconfirmedAgain,
        Fault::LeavesUnconfirmedSent,
        Fault::TakesMissingFolderAsProof,
        Fault::LeavesAgentOfMissingFolder,
        Fault::HandlesExitBeforeOutput,
        Fault::DeletesUnreadFolder,
        Fault::GivesUpFrozenKeeper,
        Fault::ClosesWithoutLock,
        Fault::ClosesWithoutMark,
        Fault::StartsInRemovedFolder,
        Fault::RecordsAfterWrite,
        Fault::IgnoresJournal,
        Fault::RenamesDecision,
        Fault::IgnoresKnownInput,
    ];
}
