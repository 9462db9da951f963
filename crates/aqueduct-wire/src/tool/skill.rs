use crate::json::Str;
use crate::table::record;

record! {
    /// Calls a skill.
    SkillInput<'a> {
        essential { skill: Str<'a> }
        "2.1.37" {
            optional args: Str<'a>,
        }
    }
}

record! {
    /// A skill was found; its text follows as a `user` frame.
    SkillResult<'a> {
        "2.1.37" {
            always success: bool,
            always command_name = "commandName": Str<'a>,
        }
    }
}
