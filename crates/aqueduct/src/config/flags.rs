use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::OsStringValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};

use super::{Config, ConfigLayer, ConfigSetting, SETTINGS, SettingKind, SettingOrigin, UserEnvironment};

/// The flags of the table of settings.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags {
    pub(crate) layer: ConfigLayer,
}

impl clap::Args for Flags {
    fn augment_args(command: Command) -> Command {
        SETTINGS.iter().fold(command, |command, setting| command.arg(flag(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn flag(setting: &ConfigSetting) -> Arg {
    let mut help = setting.help.to_owned();
    if setting.kind.is_list() {
        help.push_str("; can be repeated");
    }
    if !setting.default.is_empty() && setting.kind != SettingKind::Switch {
        help.push_str(&format!(" [default: {}]", setting.default));
    }
    let arg = Arg::new(setting.name).long(setting.flag).help(help).value_parser(OsStringValueParser::new());
    let arg = match setting.kind {
        // A flag can turn off what the file turns on.
        SettingKind::Switch => {
            arg.num_args(0..=1).require_equals(true).default_missing_value("true").value_name("BOOL")
        }
        _ => arg.value_name(setting.value).value_hint(match setting.value {
            "DIR" => ValueHint::DirPath,
            "FILE" => ValueHint::FilePath,
            _ => ValueHint::Other,
        }),
    };
    let arg = if setting.kind.is_list() { arg.action(ArgAction::Append) } else { arg.action(ArgAction::Set) };
    let arg = if setting.kind == SettingKind::Switch { arg.hide_possible_values(true) } else { arg };
    if setting.heading.is_empty() { arg } else { arg.help_heading(setting.heading) }
}

impl clap::FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Flags::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in SETTINGS {
            if let Some(values) = matches.get_many::<OsString>(setting.name) {
                self.layer.give(
                    setting.name,
                    values.cloned().collect(),
                    SettingOrigin::Flag(setting.flag.to_owned()),
                );
            }
        }
        Ok(())
    }
}

/// Which bridge is meant, for the commands that connect to one.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct BridgeLocation {
    /// The bridge's data folder, if not the default
    #[arg(long, value_name = "DIR", global = true)]
    data_dir: Option<PathBuf>,
    /// The configuration file, if not the default
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

impl BridgeLocation {
    /// The configuration of the bridge that is meant.
    pub(crate) fn load(&self) -> anyhow::Result<Config> {
        Config::load(&UserEnvironment::of_this_process()?, &self.layer(), self.config.as_deref())
    }

    /// The same, with flags for some of its settings.
    pub(crate) fn load_with(&self, flags: &[(&'static str, &Option<OsString>)]) -> anyhow::Result<Config> {
        let mut layer = self.layer();
        for (name, value) in flags {
            if let Some(value) = value {
                layer.give(name, vec![value.clone()], SettingOrigin::Flag(name.replace('_', "-")));
            }
        }
        Config::load(&UserEnvironment::of_this_process()?, &layer, self.config.as_deref())
    }

    /// The same as flags of `aqueduct serve`.
    fn layer(&self) -> ConfigLayer {
        let mut layer = ConfigLayer::default();
        if let Some(folder) = &self.data_dir {
            layer.give("data_dir", vec![folder.into()], SettingOrigin::Flag("data-dir".to_owned()));
        }
        layer
    }
}
