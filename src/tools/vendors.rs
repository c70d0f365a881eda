//! Every name that a program gives to a tool whose act has a view, as a test: no such call may fall
//! to the default view.

use super::registry::view_of;

/// The views, each with the tools that it draws, as `format=name,name`. Programs whose files are
/// not read yet are there too: their tools come through other formats.
const TOOLS: &[(&str, &str)] = &[
    (
        "shell",
        "dispatch=run_shell claude_code=Bash,PowerShell codex=shell,shell_command,exec_command,\
         local_shell,container.exec,unified_exec gemini_cli=run_shell_command \
         qwen_code=run_shell_command opencode=bash pi=bash oh_my_pi=bash,recipe \
         claude=bash_tool roo=execute_command cline=execute_command copilot=run_in_terminal,\
         bash cursor=run_terminal_cmd openhands=execute_bash,cmd_run swe_agent=bash \
         goose=developer__shell librechat=bash_tool x=terminal,ssh chatgpt=container.exec",
    ),
    (
        "shell_io",
        "codex=write_stdin claude_code=BashOutput,TaskOutput,Monitor \
         copilot=get_terminal_output,terminal_last_command,get_task_output \
         roo=read_command_output oh_my_pi=job,poll,await,wait",
    ),
    (
        "shell_kill",
        "claude_code=KillShell,KillBash,TaskStop oh_my_pi=cancel_job copilot=kill_terminal",
    ),
    (
        "read",
        "dispatch=read_file claude_code=Read gemini_cli=read_file opencode=read pi=read \
         oh_my_pi=read roo=read_file cline=read_file cursor=read_file copilot=read_file,\
         copilot_readFile claude=view openhands=read swe_agent=open codex=read_file",
    ),
    (
        "read_many",
        "gemini_cli=read_many_files qwen_code=read_many_files copilot=read_project_structure",
    ),
    (
        "image_view",
        "codex=view_image copilot=view_image oh_my_pi=inspect_image swe_agent=view_image",
    ),
    (
        "list",
        "claude_code=LS gemini_cli=list_directory opencode=list pi=ls oh_my_pi=ls \
         roo=list_files cline=list_files cursor=list_dir copilot=list_dir codex=list_dir",
    ),
    (
        "glob",
        "claude_code=Glob gemini_cli=glob opencode=glob oh_my_pi=glob,find pi=find \
         copilot=file_search cursor=file_search x=search_file_by_name",
    ),
    (
        "grep",
        "claude_code=Grep gemini_cli=search_file_content,grep_search opencode=grep pi=grep \
         oh_my_pi=grep,search,ast_grep roo=search_files,list_code_definition_names \
         cline=search_files,list_code_definition_names copilot=grep_search cursor=grep_search \
         codex=grep_files",
    ),
    (
        "code_search",
        "roo=codebase_search cursor=codebase_search copilot=semantic_search,\
         search_workspace_symbols,search_subagent claude=file_search,project_knowledge_search \
         chatgpt=file_search,retrieval,file_citation librechat=library_search,file_search,\
         retrieval",
    ),
    (
        "lsp",
        "dispatch=lsp opencode=lsp,lsp_hover,lsp_diagnostics oh_my_pi=lsp claude_code=LSP \
         copilot=get_errors,list_code_usages",
    ),
    (
        "edit",
        "dispatch=edit_file claude_code=Edit,MultiEdit gemini_cli=replace opencode=edit \
         pi=edit oh_my_pi=edit,ast_edit roo=apply_diff,search_and_replace,search_replace,\
         edit_file,insert_content cline=replace_in_file cursor=search_replace,edit_file \
         copilot=replace_string_in_file,multi_replace_string_in_file,insert_edit_into_file,\
         copilot_replaceString claude=str_replace x=str_replace_editor:str_replace,\
         str_replace_editor:insert openhands=edit",
    ),
    (
        "patch",
        "codex=apply_patch opencode=apply_patch,patch oh_my_pi=apply_patch roo=apply_patch \
         copilot=apply_patch",
    ),
    (
        "write",
        "dispatch=write_file claude_code=Write gemini_cli=write_file opencode=write pi=write \
         oh_my_pi=write roo=write_to_file cline=write_to_file copilot=create_file \
         claude=create_file x=str_replace_editor:create cursor=write openhands=write",
    ),
    (
        "file_op",
        "cursor=delete_file copilot=create_directory x=move_file,rename_file \
         claude=present_files",
    ),
    (
        "notebook",
        "claude_code=NotebookEdit,NotebookRead copilot=edit_notebook_file,run_notebook_cell,\
         create_new_jupyter_notebook oh_my_pi=notebook",
    ),
    (
        "code",
        "chatgpt=python,container.python,code_interpreter librechat=execute_code,\
         run_tools_with_code openhands=execute_ipython_cell,run_ipython claude=repl,\
         analysis_tool claude_code=REPL gemini_cli=code_execution oh_my_pi=eval,js,python \
         codex=js_repl x=javascript_repl,sandbox",
    ),
    (
        "web_search",
        "dispatch=web_search claude=web_search scn_chat=web_search oh_my_pi=web_search \
         librechat=web_search cursor=web_search codex=web_search,web_search_call \
         claude_code=WebSearch gemini_cli=google_web_search opencode=websearch \
         chatgpt=web.search,browser.search,web.run,web x=webSearch,tavily_search,\
         brave_web_search,exa_search",
    ),
    (
        "web_fetch",
        "scn_chat=web_fetch claude=web_fetch gemini_cli=web_fetch claude_code=WebFetch \
         opencode=webfetch copilot=fetch_webpage oh_my_pi=fetch chatgpt=web.open,browser.open \
         cline=web_fetch openhands=web_read x=fetch,read_url,url_context",
    ),
    (
        "browser",
        "oh_my_pi=browser,puppeteer cline=browser_action roo=browser_action openhands=browser,\
         browse_interactive chatgpt=web.click,web.find,computer x=computer,computer_use_preview",
    ),
    ("video_transcript", "dispatch=youtube_transcript"),
    (
        "agent",
        "dispatch=summon_agent claude_code=Task,Agent opencode=task oh_my_pi=task,vibe_spawn \
         gemini_cli=invoke_agent codex=spawn_agent copilot=runSubagent,execution_subagent \
         roo=new_task cline=new_task librechat=subagent",
    ),
    (
        "agent_msg",
        "dispatch=send_agent_message claude_code=SendMessage codex=send_input oh_my_pi=irc",
    ),
    (
        "agent_read",
        "dispatch=read_agent,list_agents codex=wait,close_agent claude_code=TaskGet,TaskList \
         oh_my_pi=hub",
    ),
    (
        "todo",
        "dispatch=todo_write claude_code=TodoWrite,TodoRead,TaskCreate,TaskUpdate \
         opencode=todowrite,todoread gemini_cli=write_todos,tracker_create_task,\
         tracker_update_task,tracker_get_task,tracker_list_tasks roo=update_todo_list \
         copilot=manage_todo_list codex=update_plan cursor=todo_write oh_my_pi=todo,todo_write",
    ),
    (
        "plan",
        "claude_code=ExitPlanMode,EnterPlanMode gemini_cli=enter_plan_mode,exit_plan_mode \
         cline=plan_mode_respond roo=switch_mode copilot=switch_agent oh_my_pi=exit_plan_mode",
    ),
    (
        "ask",
        "claude_code=AskUserQuestion gemini_cli=ask_user opencode=question \
         roo=ask_followup_question cline=ask_followup_question codex=request_user_input \
         oh_my_pi=ask copilot=vscode_askQuestions librechat=ask_user_question",
    ),
    (
        "skill",
        "dispatch=load_skill claude_code=Skill,SlashCommand opencode=skill roo=skill,\
         run_slash_command,fetch_instructions gemini_cli=activate_skill",
    ),
    (
        "memory",
        "gemini_cli=save_memory chatgpt=bio claude=memory_user_edits,conversation_search,\
         recent_chats copilot=memory oh_my_pi=retain,recall,reflect,memory_edit,link,related,forget \
         goose=memory__remember_memory",
    ),
    (
        "image_gen",
        "chatgpt=image_gen,dalle.text2im x=image_generation librechat=image_gen_oai,\
         image_edit_oai,gemini_image_gen roo=generate_image oh_my_pi=generate_image",
    ),
    ("vision", "dispatch=consult_vision"),
    (
        "artifact",
        "claude=artifacts claude_code=Artifact chatgpt=canmore.create_textdoc,\
         canmore.update_textdoc,canmore.comment_textdoc,canvas pi=artifacts",
    ),
    (
        "think",
        "openhands=think x=think,sequentialthinking gemini_cli=update_topic \
         copilot=report_intent",
    ),
    (
        "mcp_res",
        "claude_code=ListMcpResourcesTool,ReadMcpResourceTool gemini_cli=list_mcp_resources,\
         read_mcp_resource codex=list_mcp_resources,read_mcp_resource roo=access_mcp_resource \
         cline=access_mcp_resource",
    ),
    ("mcp_call", "roo=use_mcp_tool cline=use_mcp_tool"),
    (
        "finish",
        "cline=attempt_completion roo=attempt_completion openhands=finish swe_agent=submit \
         gemini_cli=complete_task oh_my_pi=yield",
    ),
    (
        "tool_search",
        "copilot=tool_search x=tool_search claude_code=ToolSearch gemini_cli=get_internal_docs",
    ),
    (
        "schedule",
        "claude_code=CronCreate,CronDelete,CronList,ScheduleWakeup,RemoteTrigger,\
         PushNotification chatgpt=automations",
    ),
    (
        "github",
        "oh_my_pi=github copilot=github_repo,get_changed_files",
    ),
    ("debug", "oh_my_pi=debug"),
    (
        "session",
        "oh_my_pi=checkpoint,rewind,goal,new_context codex=create_goal,update_goal,get_goal",
    ),
];

#[test]
fn every_tool_of_every_vendor_has_the_view_of_its_act() {
    let mut wrong = Vec::new();
    for (view, tools) in TOOLS {
        for group in tools.split(' ') {
            let (format, names) = group.split_once('=').expect("a format and its names");
            for name in names.split(',') {
                let found = view_of(format, name).name();
                if found != *view {
                    wrong.push(format!("{format}/{name}: {found}, not {view}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_knows_every_view() {
    for view in super::TOOL_VIEWS {
        let is_known = TOOLS.iter().any(|(name, _)| *name == view.name());
        // What no row names, and what only the arguments of a call tell.
        let is_nameless = ["default", "lookup"].contains(&view.name());
        assert!(is_known || is_nameless, "{}", view.name());
    }
}
